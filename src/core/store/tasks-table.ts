import type {Task, TaskLife} from '../task/types.ts'
import type {SqlRow, Store} from './store.ts'
import {updateRow} from './update-row.ts'

/** `nameKey`: the name, NFC and case-folded; `env`: the captured environment of whoever made it. */
export type NewTask = Omit<Task, 'project'> & {nameKey: string; env: Record<string, string>}
export type TaskPatch = {
  branch?: string
  branchCreated?: boolean
  base?: string
  baseRef?: string
  baseCommit?: string
  path?: string
  gitDir?: string
  agent?: string
}

const select = `SELECT tasks.id, project_id AS projectId, projects.name AS project, tasks.name, life, branch,
    branch_created AS branchCreated, tasks.base, base_ref AS baseRef, base_commit AS baseCommit, path, tasks.git_dir AS gitDir, agent,
    started_by AS startedBy, parent_id AS parentId, tasks.created_at AS createdAt, archived_at AS archivedAt
  FROM tasks JOIN projects ON projects.id = project_id`
const oldestFirst = 'ORDER BY tasks.created_at, tasks.rowid'

export function insertTask(store: Store, task: NewTask): Task {
  const {id, projectId, name, nameKey, life, branch, branchCreated, base, baseRef, baseCommit} = task
  const {path, gitDir, agent, startedBy, parentId, createdAt, archivedAt} = task
  const env = JSON.stringify(task.env)
  store.run(
    `INSERT INTO tasks (id, project_id, name, name_key, life, branch, branch_created, base, base_ref, base_commit, path, git_dir,
       agent, started_by, parent_id, env, created_at, archived_at)
     VALUES ($id, $projectId, $name, $nameKey, $life, $branch, $branchCreated, $base, $baseRef, $baseCommit, $path, $gitDir,
       $agent, $startedBy, $parentId, $env, $createdAt, $archivedAt)`,
    {
      ...{id, projectId, name, nameKey, life, branch, branchCreated, base, baseRef, baseCommit},
      ...{path, gitDir, agent, startedBy, parentId, env, createdAt, archivedAt},
    },
  )
  return taskById(store, id) as Task
}

export function taskById(store: Store, id: string): Task | undefined {
  return one(store, 'tasks.id = $id', {id})
}

/** Live here and below: not archived, so one that is being made or filed away too (`life` tells). */
export function liveTaskByNameKey(store: Store, projectId: string, nameKey: string): Task | undefined {
  return one(store, `project_id = $projectId AND tasks.name_key = $nameKey AND life != 'archived'`, {
    projectId,
    nameKey,
  })
}

/** The live tasks of that name in any project. */
export function liveTasksByNameKey(store: Store, nameKey: string): Task[] {
  return many(store, `tasks.name_key = $nameKey AND life != 'archived'`, {nameKey})
}

export function liveTaskByPath(store: Store, path: string): Task | undefined {
  return one(store, `path = $path AND life != 'archived'`, {path})
}

export function allLiveTasks(store: Store): Task[] {
  return many(store, `life != 'archived'`)
}

export function liveTasksOfProject(store: Store, projectId: string): Task[] {
  return many(store, `project_id = $projectId AND life != 'archived'`, {projectId})
}

/** What a daemon that died left half done is found by `creating` and `archiving`. */
export function tasksByLife(store: Store, life: TaskLife): Task[] {
  return many(store, 'life = $life', {life})
}

/** The tasks that this one's agent made, archived ones too. */
export function childrenOfTask(store: Store, parentId: string): Task[] {
  return many(store, 'parent_id = $parentId', {parentId})
}

export function setTaskLife(store: Store, id: string, life: TaskLife, archivedAt?: number): boolean {
  const sql = 'UPDATE tasks SET life = $life, archived_at = $archivedAt WHERE id = $id'
  return store.run(sql, {id, life, archivedAt}).changes > 0
}

export function renameTask(store: Store, id: string, name: string, nameKey: string): boolean {
  return (
    store.run('UPDATE tasks SET name = $name, name_key = $nameKey WHERE id = $id', {id, name, nameKey})
      .changes > 0
  )
}

/** What creation finds out step by step, and what a moved worktree changes. */
export function updateTask(store: Store, id: string, patch: TaskPatch): boolean {
  const names = {
    branch: 'branch',
    branchCreated: 'branch_created',
    base: 'base',
    baseRef: 'base_ref',
    baseCommit: 'base_commit',
    path: 'path',
    gitDir: 'git_dir',
    agent: 'agent',
  }
  return updateRow(store, 'tasks', names, id, patch)
}

export function taskEnv(store: Store, id: string): Record<string, string> | undefined {
  const row = store.get('SELECT env FROM tasks WHERE id = $id', {id})
  return row && JSON.parse(row.env as string)
}

/** Takes back a task that never came to be, with its tabs, panes and prompts; any other task stays. */
export function removeCreatingTask(store: Store, id: string): boolean {
  return store.run(`DELETE FROM tasks WHERE id = $id AND life = 'creating'`, {id}).changes > 0
}

function one(store: Store, condition: string, params: Record<string, string>): Task | undefined {
  const row = store.get(`${select} WHERE ${condition}`, params)
  return row && asTask(row)
}

function many(store: Store, condition: string, params: Record<string, string> = {}): Task[] {
  return store.all(`${select} WHERE ${condition} ${oldestFirst}`, params).map(asTask)
}

function asTask(row: SqlRow): Task {
  return {...row, branchCreated: row.branchCreated === 1} as unknown as Task
}
