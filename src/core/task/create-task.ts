import {homedir} from 'node:os'
import {join, resolve} from 'node:path'
import type {Agents} from '../agent/agents.ts'
import {startingState} from '../agent/starting-state.ts'
import type {AgentKind} from '../agent/types.ts'
import type {Base} from '../base.ts'
import {checkPrompt, type Deliveries} from '../delivery/deliveries.ts'
import {capturedFrom} from '../environment.ts'
import {asTermicError, fail, TermicError} from '../errors.ts'
import {addWorktree} from '../git/add-worktree.ts'
import {resolveBase} from '../git/base.ts'
import {branchNames} from '../git/branch-names.ts'
import {branchStanding} from '../git/branch-standing.ts'
import {newId} from '../ids.ts'
import type {Panes} from '../pane/panes.ts'
import type {DeliveryResult} from '../results.ts'
import {deliveryById} from '../store/deliveries-table.ts'
import {insertPane, type PaneRow} from '../store/panes-table.ts'
import {insertTab} from '../store/tabs-table.ts'
import {insertTask, liveTaskByNameKey, setTaskLife, taskById, updateTask} from '../store/tasks-table.ts'
import type {Caller} from '../verb/caller.ts'
import {branchOf, derivedName, directoryOf, nameKey} from './names.ts'
import {takeBackInTime} from './take-back.ts'
import type {Project, Task} from './types.ts'

export interface CreateOptions {
  project: Project
  /** Absent: derived from the prompt and numbered. */
  name?: string
  agent?: string
  base?: string
  prompt?: string
  deliveryId?: string
  /** The caller will wait for the prompt, so an agent without a settle signal is refused. */
  wait?: boolean
  shell?: Caller['shell']
  by: string
  step: (text: string) => Promise<void>
}

export interface CreatedTask {
  task: Task
  delivery?: DeliveryResult
}

interface Parts {
  panes: Panes
  agents: Agents
  deliveries: Deliveries
}

/**
 * Makes a task: its row, branch, worktree, terminal and queued prompt. The rows come first, as `creating`, so that what a
 * dead daemon left half done is known and taken back at the next start; a step that fails takes back all before it.
 */
export async function createTask(base: Base, parts: Parts, options: CreateOptions): Promise<CreatedTask> {
  for (;;) {
    try {
      return await makeTask(base, parts, options)
    } catch (error) {
      // Another one took the derived name in the same moment: the next number is free.
      const isDerived =
        options.name === undefined && error instanceof TermicError && error.code === 'task.name-taken'
      if (!isDerived) throw error
    }
  }
}

async function makeTask(base: Base, parts: Parts, options: CreateOptions): Promise<CreatedTask> {
  await base.recovered
  const known = options.deliveryId === undefined ? undefined : deliveryById(base.store, options.deliveryId)
  if (known) return sameAgain(base, parts, known.taskId, options)
  if (options.prompt !== undefined) checkPrompt(options.prompt)
  else if (options.deliveryId !== undefined)
    fail('delivery.not-found', {delivery: options.deliveryId, task: options.name})
  const {project, prompt} = options
  const agent = options.agent ?? parts.agents.defaultId
  parts.agents.kind(agent)

  const captured = await environmentOf(base, options.shell)
  const kind = parts.agents.kind(agent, captured)
  if ((await kind.find(captured)) === null) fail('agent.not-installed', {program: agent})
  if (options.wait && kind.signal === 'none') fail('agent.no-signal', {agent})
  const [from, {name, branch, exists}] = await Promise.all([
    resolveBase(project, options.base),
    branchFor(base, project, options.name, prompt ?? agent),
  ])
  const path = join(tasksPath(base, project), directoryOf(branch))

  const rows = reserve(base, parts, options, kind, {
    ...{
      id: newId(),
      projectId: project.id,
      name,
      nameKey: nameKey(name),
      life: 'creating',
      branch,
      branchCreated: !exists,
    },
    ...{
      base: from.name,
      baseRef: from.ref,
      baseCommit: from.commit,
      path,
      gitDir: '',
      agent,
      startedBy: options.by,
    },
    ...{parentId: parentOf(base, options.by), env: captured, createdAt: base.clock.now()},
  })
  const host = parts.panes.prepareHost(rows.pane.id)
  try {
    await options.step(`making the worktree ${path}`)
    const made = await addWorktree({
      ...{
        id: rows.task.id,
        root: project.root,
        gitDir: project.gitDir,
        path,
        branch,
        commit: from.commit,
        newBranch: !exists,
      },
      searchPath: captured.PATH,
    })
    updateTask(base.store, rows.task.id, made)
    await options.step('starting the agent')
    await parts.panes.launch(rows.pane, {...rows.task, ...made}, host, captured)
    begin(base, rows.task)
  } catch (error) {
    host.abandon()
    await takeBackInTime(base, parts.panes, project, rows)
    throw asCreateError(error, name)
  }
  // From here on it stands, whatever happens.
  await parts.panes.supervise(rows.pane.id)
  const task = taskById(base.store, rows.task.id) as Task
  return {task, delivery: parts.deliveries.get(rows.deliveryId)}
}

/** Where a project's worktrees are; never inside the data directory, which no cage shows. */
function tasksPath({settings, home}: Base, project: Project): string {
  const root = project.tasksPath ?? settings.get('tasksPath')
  const absolute = resolve(project.root, root.replace(/^~(?=$|\/)/, home || homedir()))
  return join(absolute, directoryOf(project.name))
}

type Reserved = Parameters<typeof insertTask>[1]

function reserve(
  base: Base,
  {deliveries, panes}: Parts,
  {prompt, deliveryId, by, project}: CreateOptions,
  kind: AgentKind,
  wanted: Reserved,
): {task: Task; pane: PaneRow; deliveryId?: string} {
  const {store} = base
  return store.transaction(() => {
    panes.requireRoom()
    if (isTaken(base, project, wanted.name))
      fail('task.name-taken', {name: wanted.name, project: project.name})
    const task = insertTask(store, wanted)
    const {createdAt, id: taskId, agent} = task
    const tab = insertTab(store, {id: newId(), taskId, title: agent, isDefault: true, createdAt})
    const pane = insertPane(store, {
      ...{taskId, tabId: tab.id, kind: 'agent', agent: kind.id, argv: [], cwd: task.path},
      startedBy: by,
      createdAt,
      state: startingState(createdAt, kind),
    })
    const queued =
      prompt === undefined ? undefined : deliveries.queue({id: deliveryId, pane, text: prompt, by})
    return {task, pane, deliveryId: queued?.id}
  })
}

function begin({store, events, clock}: Base, {id, name, project}: Task): void {
  store.transaction(() => {
    setTaskLife(store, id, 'live')
    events.append({at: clock.now(), taskId: id, type: 'task.created', data: {name, project}})
  })
}

function sameAgain(
  {store}: Base,
  {deliveries}: Parts,
  taskId: string,
  {deliveryId, name, prompt}: CreateOptions,
): CreatedTask {
  const task = taskById(store, taskId)
  const row = deliveryId === undefined ? undefined : deliveryById(store, deliveryId)
  const differs =
    (name !== undefined && task?.name !== name) || (prompt !== undefined && row?.text !== prompt)
  if (task?.life !== 'live' || differs) fail('delivery.id-taken', {delivery: deliveryId})
  return {task, delivery: deliveries.get(deliveryId)}
}

/** An archived task keeps its branch, so a name that only looks free would go on in that one's work. */
/** The task's name, the typed one or one made from `source`, and its branch. */
async function branchFor(
  base: Base,
  project: Project,
  typed: string | undefined,
  source: string,
): Promise<{name: string; branch: string; exists: boolean}> {
  const name = typed ?? (await freeName(base, project, source))
  const branch = branchOf(name)
  const {commit} = await branchStanding({root: project.root, gitDir: project.gitDir}, branch)
  return {name, branch, exists: commit !== undefined}
}

async function freeName(base: Base, project: Project, source: string): Promise<string> {
  const branches = new Set((await branchNames(project)).map(nameKey))
  return derivedName(source, key => branches.has(key) || isTaken(base, project, key))
}

function isTaken({store}: Base, project: Project, name: string): boolean {
  return liveTaskByNameKey(store, project.id, nameKey(name)) !== undefined
}

function parentOf({store}: Base, by: string): string | undefined {
  const id = by.startsWith('task:') ? by.slice('task:'.length) : undefined
  return id === undefined ? undefined : taskById(store, id)?.id
}

/** Of the shell that asked; else of the user's login shell. */
async function environmentOf({login}: Base, shell: Caller['shell']): Promise<Record<string, string>> {
  return capturedFrom(shell ? shell.env : (await login.get()).env)
}

/** What names its own reason and remedy stays; the rest says that nothing was kept. */
function asCreateError(thrown: unknown, name: string): TermicError {
  const error = asTermicError(thrown)
  if (error.code !== 'git.failed' && error.code !== 'internal') return error
  return new TermicError(
    'task.create-failed',
    {name, reason: error.code === 'git.failed' ? error.message : error.data.reason},
    thrown,
  )
}
