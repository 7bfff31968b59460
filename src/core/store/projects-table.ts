import type {Project} from '../task/types.ts'
import type {SqlRow, Store} from './store.ts'
import {updateRow} from './update-row.ts'

/** `nameKey`: the name, NFC and case-folded, as the caller compares names. */
export type NewProject = Project & {nameKey: string}
export type ProjectPatch = {name?: string; nameKey?: string; base?: string; tasksPath?: string}

const columns = `id, name, root, git_dir AS gitDir, base, tasks_path AS tasksPath, created_at AS createdAt`

/** Adds a project. One of the same root that was removed comes back with its id, and so with its archived tasks. */
export function insertProject(store: Store, project: NewProject): Project {
  const row = store.get(
    `INSERT INTO projects (id, name, name_key, root, git_dir, base, tasks_path, created_at)
     VALUES ($id, $name, $nameKey, $root, $gitDir, $base, $tasksPath, $createdAt)
     ON CONFLICT (root) DO UPDATE SET name = $name, name_key = $nameKey, git_dir = $gitDir, base = $base,
       tasks_path = $tasksPath, removed_at = NULL WHERE removed_at IS NOT NULL
     RETURNING ${columns}`,
    parameters(project),
  )
  // The root belongs to a project that is there: callers look first, so this is theirs to have seen.
  if (!row) throw new Error(`project root ${project.root} is taken`)
  return asProject(row)
}

/** Removed ones too, since archived tasks name theirs. */
export function projectById(store: Store, id: string): Project | undefined {
  return one(store, 'id = $id', {id})
}

export function projectByNameKey(store: Store, nameKey: string): Project | undefined {
  return one(store, 'name_key = $nameKey AND removed_at IS NULL', {nameKey})
}

export function projectByRoot(store: Store, root: string): Project | undefined {
  return one(store, 'root = $root AND removed_at IS NULL', {root})
}

export function projectByGitDir(store: Store, gitDir: string): Project | undefined {
  return one(store, 'git_dir = $gitDir AND removed_at IS NULL', {gitDir})
}

export function allProjects(store: Store): Project[] {
  return store
    .all(`SELECT ${columns} FROM projects WHERE removed_at IS NULL ORDER BY name_key`)
    .map(asProject)
}

export function updateProject(store: Store, id: string, patch: ProjectPatch): boolean {
  const names = {name: 'name', nameKey: 'name_key', base: 'base', tasksPath: 'tasks_path'}
  return updateRow(store, 'projects', names, id, patch)
}

/** The project is no longer found, its row stays for the archived tasks. */
export function removeProject(store: Store, id: string, removedAt: number): boolean {
  const sql = 'UPDATE projects SET removed_at = $removedAt WHERE id = $id AND removed_at IS NULL'
  return store.run(sql, {id, removedAt}).changes > 0
}

function one(store: Store, condition: string, params: Record<string, string>): Project | undefined {
  const row = store.get(`SELECT ${columns} FROM projects WHERE ${condition}`, params)
  return row && asProject(row)
}

function parameters({id, name, nameKey, root, gitDir, base, tasksPath, createdAt}: NewProject) {
  return {id, name, nameKey, root, gitDir, base, tasksPath, createdAt}
}

function asProject(row: SqlRow): Project {
  return row as unknown as Project
}
