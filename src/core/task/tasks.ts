import {existsSync} from 'node:fs'
import type {Agents} from '../agent/agents.ts'
import {aggregateState} from '../agent/aggregate-state.ts'
import type {Base} from '../base.ts'
import type {Deliveries} from '../delivery/deliveries.ts'
import {showDelivery} from '../delivery/show-delivery.ts'
import {capturedFrom} from '../environment.ts'
import {fail} from '../errors.ts'
import {type DiffOptions, readDiff} from '../git/diff.ts'
import type {DiffResult} from '../git/diff-result.ts'
import {requireUnlocked} from '../git/remove-worktree.ts'
import {unsavedWork} from '../git/unsaved-work.ts'
import {type Grant, reaches} from '../grant/grant.ts'
import {isLive, type Panes} from '../pane/panes.ts'
import type {AgentStateResult, DiffFacts, TaskStatus, TaskSummary} from '../results.ts'
import {deliveriesOfTask, openDeliveriesOfTask} from '../store/deliveries-table.ts'
import {type PaneRow, panesOfTask} from '../store/panes-table.ts'
import {tabsOfTask} from '../store/tabs-table.ts'
import {allLiveTasks, childrenOfTask, taskById, taskEnv} from '../store/tasks-table.ts'
import {paneName} from '../text/pane-name.ts'
import type {Caller} from '../verb/caller.ts'
import {archiveTask} from './archive-task.ts'
import {type CreateOptions, createTask} from './create-task.ts'
import {resolveTask, taskAt} from './resolve-task.ts'
import type {GitFacts, Project, Task, TaskFacts} from './types.ts'

type Access = 'see' | 'act'

interface Parts {
  panes: Panes
  agents: Agents
  deliveries: Deliveries
  grant: Grant
}

/** The tasks, as far as the grant reaches. */
export class Tasks {
  readonly #base: Base
  readonly #parts: Parts
  /** By the facts in it: good until something is written. */
  readonly #shown = new WeakMap<GitFacts<TaskFacts>, {version: number; status: TaskStatus}>()

  constructor(base: Base, parts: Parts) {
    this.#base = base
    this.#parts = parts
  }

  /** Throws `task.not-found`, `task.ambiguous`. */
  resolve(typed: string, {access, project}: {access: Access; project?: Project}): Task {
    const exact = taskById(this.#base.store, typed)
    if (exact && exact.life !== 'archived' && this.#reaches(exact, access)) return exact
    return resolveTask(this.#reachable(access), typed, project?.id)
  }

  /** The task of a shell's directory; throws `task.required`. */
  atPlace(shell: NonNullable<Caller['shell']>, {access}: {access: Access}): Task {
    return taskAt(this.#reachable(access), shell.cwd) ?? fail('task.required')
  }

  /** The task that a caller speaks from: its pane's, or its directory's. */
  ofCaller({shell}: Caller): Task | undefined {
    if (!shell) return undefined
    const tasks = this.#reachable('see')
    return tasks.find(({id}) => id === shell.env.TERMIC_TASK_ID) ?? taskAt(tasks, shell.cwd)
  }

  /** What its programs were given: the captured part, and what termic adds in its default pane. */
  environment(task: Task): {captured: Record<string, string>; added: Record<string, string>} {
    const captured = capturedFrom(taskEnv(this.#base.store, task.id) ?? {})
    const pane = this.#parts.panes.ofTask(task)
    const whole = this.#parts.panes.environmentOf(pane.id, task, captured)
    const added = Object.entries(whole).filter(([name, value]) => captured[name] !== value)
    return {captured, added: Object.fromEntries(added)}
  }

  childrenOf(task: Task): Task[] {
    return childrenOfTask(this.#base.store, task.id).filter(({life}) => life === 'live')
  }

  /** Live tasks by project and name. */
  list({project, state}: {project?: Project; state?: string} = {}): Task[] {
    return this.#reachable('see')
      .filter(task => project === undefined || task.projectId === project.id)
      .filter(task => state === undefined || this.state(task).name === state)
      .sort((a, b) => a.project.localeCompare(b.project) || a.name.localeCompare(b.name))
  }

  /** Makes a task whole or not at all; returns once its agent's PTY is forked. */
  create(options: CreateOptions): ReturnType<typeof createTask> {
    return createTask(this.#base, this.#parts, options)
  }

  /** Throws `task.missing` when the worktree was removed by hand. */
  requirePresent({path, name}: Task): void {
    if (!existsSync(path)) fail('task.missing', {path, name})
  }

  /** Throws what would keep the worktree from being removed: `task.unsaved-work` naming what is in no commit, `git.locked`. */
  async requireRemovable(task: Task): Promise<void> {
    requireUnlocked(task)
    if (!existsSync(task.path)) return
    const what = await unsavedWork(task)
    if (what) fail('task.unsaved-work', {name: task.name, what})
  }

  archive(task: Task, {step}: {step: (text: string) => Promise<void>}): ReturnType<typeof archiveTask> {
    return archiveTask(this.#base, this.#parts.panes, task, step)
  }

  async diff(task: Task, options: DiffOptions): Promise<DiffResult> {
    return {taskId: task.id, ...(await readDiff(task, options))}
  }

  /** Of all its agent panes; `inactive` without one that is live. */
  state(task: Task, panes = panesOfTask(this.#base.store, task.id)): AgentStateResult {
    const live = aggregateState(panes.filter(isLive).map(({state}) => state))
    const last = panes.at(-1)
    if (live ?? last) return live ?? (last as PaneRow).state
    const at = task.createdAt
    return {
      name: 'inactive',
      since: at,
      evidence: {source: 'none', at, detail: 'it has no pane'},
      confidence: 'exact',
    }
  }

  async summary(task: Task, {maxAgeMs}: {maxAgeMs: number}): Promise<TaskSummary> {
    return this.#summary(task, await this.#facts(task, maxAgeMs))
  }

  /** One that asks git nothing: its counts are the last that were read, or unknown. */
  knownSummary(task: Task): TaskSummary {
    const facts = this.#base.facts.last(task.id)
    return this.#summary(task, facts)
  }

  async status(task: Task, {maxAgeMs}: {maxAgeMs: number}): Promise<TaskStatus> {
    const facts = await this.#facts(task, maxAgeMs)
    const {version} = this.#base.store
    const known = this.#shown.get(facts)
    if (known?.version === version) return known.status
    const status = this.#status(task, facts)
    this.#shown.set(facts, {version, status})
    return status
  }

  #status(task: Task, facts: GitFacts<TaskFacts>): TaskStatus {
    const {store} = this.#base
    const {headRef, headCommit, dirty} = facts.value ?? {}
    const panes = panesOfTask(store, task.id)
    const queue = openDeliveriesOfTask(store, task.id)
    const [last] = deliveriesOfTask(store, task.id, 1)
    return {
      ...this.#summary(task, facts, panes, queue),
      baseCommit: task.baseCommit,
      head:
        headCommit === undefined
          ? null
          : {branch: headRef?.replace(/^refs\/heads\//, '') ?? null, commit: headCommit},
      dirty: dirty ?? null,
      tabs: tabsOfTask(store, task.id).map((tab, index) => ({
        ...{id: tab.id, number: index + 1, title: tab.title, isDefault: tab.isDefault},
        panes: panes.filter(({tabId}) => tabId === tab.id).map(showPane),
      })),
      queue: queue.map(showDelivery),
      ...(last && {lastDelivery: showDelivery(last)}),
    }
  }

  #summary(
    task: Task,
    facts: GitFacts<TaskFacts> | undefined,
    panes = panesOfTask(this.#base.store, task.id),
    queue = openDeliveriesOfTask(this.#base.store, task.id),
  ): TaskSummary {
    const {id, name, project, agent, branch, base, path, startedBy, parentId, createdAt} = task
    // One that the agent has in its hands is its work, which the state tells.
    const waiting = queue.filter(({state}) => state === 'queued' || state === 'written')
    return {
      ...{id, name, project, agent, branch, base, path, startedBy, createdAt},
      ...(parentId && {parentId}),
      missing: facts?.error !== undefined && facts.code === 'task.missing',
      state: this.state(task, panes),
      queued: waiting.length,
      diff: facts ? showDiff(facts) : {value: null, checkedAt: this.#base.clock.now()},
    }
  }

  #facts(task: Task, maxAgeMs: number): Promise<GitFacts<TaskFacts>> {
    return this.#base.facts.get(task, {maxAgeMs})
  }

  #reachable(access: Access): Task[] {
    return allLiveTasks(this.#base.store).filter(task => this.#reaches(task, access))
  }

  /** One that is being made does not exist yet. */
  #reaches(task: Task, access: Access): boolean {
    return task.life !== 'creating' && reaches(this.#parts.grant, task, access)
  }
}

function showDiff({value, checkedAt, error}: GitFacts<TaskFacts>): DiffFacts {
  return {value: value?.diff ?? null, checkedAt, ...(error !== undefined && {error})}
}

function showPane({
  id,
  kind,
  agent,
  argv,
  cwd,
  state,
  startedBy,
  createdAt,
}: PaneRow): TaskStatus['tabs'][number]['panes'][number] {
  return {pane: paneName(id), kind, ...(agent && {agent}), command: argv, cwd, state, startedBy, createdAt}
}
