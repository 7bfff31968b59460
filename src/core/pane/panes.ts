import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import type {Agents} from '../agent/agents.ts'
import type {AgentKind} from '../agent/types.ts'
import type {Base} from '../base.ts'
import {paneEnvironment} from '../environment.ts'
import {fail} from '../errors.ts'
import {newSecret} from '../ids.ts'
import {type PaneRow, paneById, panesOfTask, runningPanes, updatePane} from '../store/panes-table.ts'
import {tabsOfTask} from '../store/tabs-table.ts'
import {taskById} from '../store/tasks-table.ts'
import type {Task} from '../task/types.ts'
import {paneName} from '../text/pane-name.ts'
import {within} from '../within.ts'
import {adopt} from './adopt.ts'
import {endProcesses} from './host/end-tree.ts'
import {signal} from './host/process-tree.ts'
import {hostScope} from './host-scope.ts'
import {hasLiveHost} from './live-hosts.ts'
import {followPane, type OutputOptions, type PaneOutput, readPane} from './pane-output.ts'
import {hostsIn, processesOfTask, wakeHost} from './pane-processes.ts'
import {PaneSupervisor} from './pane-supervisor.ts'
import {type StartedHost, startHost} from './spawn-host.ts'
import type {KillReport} from './types.ts'

/** How long a program may take to end after SIGTERM, in milliseconds (termic.md §3.8: agents write their transcripts then). */
const graceMs = 1_500
/** How long one host may hold up the daemon's first answers. */
const adoptWithinMs = 2_000
/** How long a host that was just woken or started may take to answer. */
const answerWithinMs = 5_000
/** A host reports at the latest after the grace and the five seconds of its SIGKILL; it is dumb after this. */
const endWithinMs = 10_000
/** A host whose tree has ended has nothing left to do but to close its files. */
const hostsGoneWithinMs = 3_000
const lookMs = 20

/** The panes of all tasks: their hosts, and who follows each. */
export class Panes {
  readonly #base: Base
  readonly #agents: Agents
  readonly #supervisors = new Map<number, PaneSupervisor>()
  /** How new hosts are put out of reach of what ends the daemon. */
  #scope: readonly string[] = []

  constructor(base: Base, agents: Agents) {
    this.#base = base
    this.#agents = agents
  }

  /** Takes up every pane that ran when the last daemon was heard of: live ones go on, ended ones are read to their end. */
  async adoptAll(): Promise<void> {
    const {store} = this.#base
    this.#scope = await hostScope(process.env)
    // Those of a half-made task are ended when it is taken back.
    const rows = runningPanes(store).filter(({taskId}) => taskById(store, taskId)?.life !== 'creating')
    await Promise.all(rows.map(row => this.#adopt(row)))
  }

  /** Throws `pane.limit` when no other terminal may be started. */
  requireRoom(): void {
    const limit = this.#base.settings.get('limits.livePanes')
    const count = this.liveCount()
    if (count >= limit) fail('pane.limit', {count, limit})
  }

  /** Starts the pane's host process ahead of the program, so that it boots while git works. */
  prepareHost(pane: number): StartedHost {
    const dir = this.dirOf(pane)
    mkdirSync(dir, {recursive: true, mode: 0o700})
    const {hostEntry, node} = this.#base.program
    return startHost({paneDir: dir, hostEntry, node, scope: this.#scope})
  }

  /** Starts the agent in its prepared host; returns once the PTY is forked. Throws `pane.start-failed`, `agent.not-installed`. */
  async launch(row: PaneRow, task: Task, host: StartedHost, captured: Record<string, string>): Promise<void> {
    const {store, settings} = this.#base
    const kind = this.#agents.kind(row.agent ?? '')
    const dir = this.dirOf(row.id)
    const nonce = newSecret()
    const env = this.environmentOf(row.id, task, captured)
    const launch = await kind.launch({paneDir: dir, env, cwd: task.path, nonce})
    updatePane(store, row.id, {argv: launch.argv, nonce: launch.nonce})
    const ready = await host.launch({
      ...{dir, pane: row.id, argv: launch.argv, cwd: task.path, env: launch.env, nonce: launch.nonce},
      ...{columns: 120, rows: 40, logLimitBytes: settings.get('log.limitBytes')},
    })
    if (ready.ready) return
    if (ready.code === 'no-program') fail('agent.not-installed', {program: launch.argv[0]})
    fail('pane.start-failed', {reason: ready.reason})
  }

  /** The whole environment of a pane's program. */
  environmentOf(pane: number, task: Task, captured: Record<string, string>): Record<string, string> {
    const {paths, program, settings} = this.#base
    return paneEnvironment({
      ...{captured, task, paths, pane: paneName(pane), node: program.node},
      cli: settings.get('cli.enabled') ? program.cli : undefined,
    })
  }

  /** Follows a pane that was just launched. */
  async supervise(pane: number): Promise<void> {
    const row = paneById(this.#base.store, pane)
    if (row) await this.#adopt(row)
  }

  dirOf(pane: number): string {
    return join(this.#base.paths.panes, String(pane))
  }

  kindOf(row: PaneRow): AgentKind {
    return this.#agents.kind(row.agent ?? '')
  }

  supervisor(pane: number): PaneSupervisor | undefined {
    return this.#supervisors.get(pane)
  }

  /** The agent pane of a task's tab (default: its default tab); throws `tab.not-found`, `agent.none`. */
  ofTask(task: Task, selector?: string): PaneRow {
    const {store} = this.#base
    const tabs = tabsOfTask(store, task.id)
    const number = Number(selector)
    const tab =
      selector === undefined
        ? tabs.find(({isDefault}) => isDefault)
        : (tabs.find(({id}) => id === selector) ??
          tabs[number - 1] ??
          tabs.find(({title}) => title.toLowerCase() === selector.toLowerCase()))
    if (!tab) fail('tab.not-found', {task: task.name, tab: selector ?? ''})
    const pane = panesOfTask(store, task.id).findLast(({tabId}) => tabId === tab.id)
    return pane ?? fail('agent.none', {task: task.name})
  }

  liveOfTask(task: Task): PaneRow[] {
    return panesOfTask(this.#base.store, task.id).filter(isLive)
  }

  liveCount(): number {
    return runningPanes(this.#base.store).length
  }

  liveSummary(): {tasks: string[]; panes: number; working: number} {
    const rows = runningPanes(this.#base.store)
    const tasks = new Set(rows.map(({taskId}) => taskById(this.#base.store, taskId)?.name ?? taskId))
    return {
      tasks: [...tasks].sort(),
      panes: rows.length,
      working: rows.filter(({state}) => state.name === 'working').length,
    }
  }

  /** Ends a pane's whole process tree and reports what it can prove. */
  async end(pane: number, reason: string): Promise<KillReport> {
    const supervisor = this.#supervisors.get(pane)
    if (supervisor) {
      wakeHost(this.dirOf(pane))
      await within(answerWithinMs, supervisor.reached)
    }
    const report =
      supervisor?.client && (await within(endWithinMs, supervisor.client.request('kill', {reason, graceMs})))
    if (report) return report
    // Nobody can tell what a host that is dead or dumb has left.
    const {exited} = paneById(this.#base.store, pane) ?? {}
    return {ended: 0, remaining: exited ? 0 : null, forced: 0}
  }

  /** Ends what a task's panes started and no live pane can answer for: its agent had exited, or its host was killed. */
  endStrays({id}: Pick<Task, 'id'>): ReturnType<typeof endProcesses> {
    return endProcesses(() => processesOfTask(id), graceMs)
  }

  /**
   * Ends what a daemon that died left of a pane which never came to be. A host that is only just starting has no record
   * yet; then it is waited for.
   */
  async endUnknown(pane: number): Promise<void> {
    const dir = this.dirOf(pane)
    for (const until = performance.now() + answerWithinMs; ; await delay(lookMs)) {
      const adoption = await adopt(dir)
      if ('alive' in adoption) {
        await adoption.alive.request('kill', {reason: 'its task was not made', graceMs})
        return adoption.alive.close()
      }
      const starting = hostsIn(dir)
      if (starting.length === 0) return
      if (performance.now() > until) for (const pid of starting) signal(pid, 'SIGKILL')
    }
  }

  /** Ends every pane, and resolves when the hosts have gone too. */
  async endAll(reason: string): Promise<void> {
    await Promise.all(
      [...this.#supervisors.keys()].map(pane => this.end(pane, reason).catch(() => undefined)),
    )
    // A host stays for those who watch it.
    this.close()
    const until = performance.now() + hostsGoneWithinMs
    while (hasLiveHost(this.#base.paths.panes) && performance.now() < until) await delay(lookMs)
  }

  readOutput(row: PaneRow, options: OutputOptions): Promise<PaneOutput> {
    return readPane(this.dirOf(row.id), row, options)
  }

  /** Hands out new output until the program has ended or `signal` is aborted; resolves with the offset reached. */
  followOutput(
    row: PaneRow,
    offset: number,
    options: {
      raw?: boolean
      signal: AbortSignal
      take: (text: string, offset: number, nextOffset: number) => Promise<void>
    },
  ): Promise<number> {
    const connect = async () => {
      const adoption = await adopt(this.dirOf(row.id))
      return 'alive' in adoption ? adoption.alive : undefined
    }
    return followPane(this.dirOf(row.id), offset, {...options, connect})
  }

  close(): void {
    for (const supervisor of this.#supervisors.values()) supervisor.close()
  }

  /** A host that does not answer (it is stopped, the machine is busy) is waited for, but not by the others. */
  async #adopt(row: PaneRow): Promise<void> {
    const dir = this.dirOf(row.id)
    const supervisor = new PaneSupervisor(this.#base, this.kindOf(row), {id: row.id, dir}, () =>
      this.#supervisors.delete(row.id),
    )
    this.#supervisors.set(row.id, supervisor)
    await within(adoptWithinMs, supervisor.take())
  }
}

export function isLive({exited, lostAt, closedAt}: PaneRow): boolean {
  return !exited && lostAt === undefined && closedAt === undefined
}
