import {aggregateState} from '../agent/aggregate-state.ts'
import type {Base} from '../base.ts'
import {fail, TermicError} from '../errors.ts'
import type {ShownEvent} from '../events/show-event.ts'
import {tellEvents} from '../events/tell-events.ts'
import {isLive, type Panes} from '../pane/panes.ts'
import type {WaitResult} from '../results.ts'
import {deliveryById, openDeliveriesOfPane} from '../store/deliveries-table.ts'
import {firstEventOfDelivery} from '../store/events-table.ts'
import {type PaneRow, paneById, panesOfTask} from '../store/panes-table.ts'
import {taskById} from '../store/tasks-table.ts'
import type {Task} from '../task/types.ts'
import type {WaitEnding, WaitView} from './types.ts'
import type {WaitVerb} from './wait-state.ts'
import {waitUntil} from './wait-until.ts'

interface Watch {
  timeoutMs?: number
  signal: AbortSignal
  emit: (event: ShownEvent) => Promise<void>
}

/** Waiting for agents, woken by events alone. */
export class Waits {
  readonly #base: Base
  readonly #panes: Panes

  constructor(base: Base, panes: Panes) {
    this.#base = base
    this.#panes = panes
  }

  /** Until every task (or any of them) is quiescent: settled, queue empty, nothing unconfirmed. */
  async untilQuiescent(
    tasks: readonly Task[],
    {mode, tab, ...watch}: Watch & {mode: 'all' | 'any'; tab?: string},
  ): Promise<WaitResult[]> {
    if (tab !== undefined) for (const task of tasks) this.#panes.ofTask(task, tab)
    if (mode === 'all') return Promise.all(tasks.map(task => this.#one(task, {...watch, tab})))
    const others = new AbortController()
    const signal = AbortSignal.any([watch.signal, others.signal])
    try {
      return [await Promise.race(tasks.map(task => this.#one(task, {...watch, tab, signal})))]
    } finally {
      others.abort()
    }
  }

  /** Until one delivery has settled or failed. */
  async untilSettled(
    task: Task,
    deliveryId: string,
    watch: Watch & {verb: 'new' | 'send'},
  ): Promise<WaitResult> {
    return this.#one(task, {...watch, deliveryId})
  }

  async #one(
    task: Task,
    {
      signal,
      emit,
      timeoutMs,
      tab,
      deliveryId,
      verb = 'wait',
    }: Watch & {tab?: string; deliveryId?: string; verb?: WaitVerb},
  ): Promise<WaitResult> {
    const {events, clock} = this.#base
    const first =
      deliveryId === undefined ? undefined : firstEventOfDelivery(this.#base.store, task.id, deliveryId)
    const afterSeq = first === undefined ? events.lastSeq : first - 1
    const watch = tellEvents(events, {taskId: task.id, afterSeq}, emit)
    const ending = await waitUntil({
      ...{clock, signal, verb, task: task.name, agent: task.agent},
      ...(timeoutMs !== undefined && {timeoutMs}),
      ...(deliveryId !== undefined && {deliveryId}),
      view: () => this.#view(task, {tab, deliveryId}),
      changed: notify => events.listen(notify, {taskId: task.id}),
    })
      .catch((error: unknown): WaitEnding => {
        if (signal.reason instanceof TermicError) throw signal.reason
        // Nobody watches any more; what was begun goes on.
        if (signal.aborted) return {outcome: 'timeout', detail: 'no longer watched'}
        throw error
      })
      .finally(() => watch.end())
    if ('failure' in ending) return fail(ending.failure.code, {task: task.name, ...ending.failure.data})
    const {outcome, state, detail, exitCode} = ending
    return {
      ...{taskId: task.id, task: task.name, outcome, state, detail},
      exitCode: exitCode ?? this.#lastExitCode(task, {tab, deliveryId}),
    }
  }

  /** Of the prompt that was followed; else of whatever ran last. */
  #lastExitCode(task: Task, {tab, deliveryId}: {tab?: string; deliveryId?: string}): number | undefined {
    if (deliveryId !== undefined) return deliveryById(this.#base.store, deliveryId)?.exitCode
    return this.#watched(task, tab, undefined).at(-1)?.state.exitCode
  }

  #view(task: Task, {tab, deliveryId}: {tab?: string; deliveryId?: string}): WaitView {
    const {store} = this.#base
    const row = taskById(store, task.id)
    if (!row) return {task: 'absent', queued: 0, capable: true}
    const delivery = deliveryId === undefined ? undefined : deliveryById(store, deliveryId)
    const panes = this.#watched(task, tab, delivery?.pane)
    const live = panes.filter(isLive)
    const open = panes.flatMap(({id}) => openDeliveriesOfPane(store, id))
    const last = panes.at(-1)
    return {
      task: row.life === 'archived' || row.life === 'archiving' ? 'archived' : 'live',
      state: aggregateState(live.map(({state}) => state)),
      ...(live.length === 0 && {gone: howItWent(last)}),
      queued: open.length,
      undelivered: open.filter(({state}) => state === 'queued' || state === 'written').length,
      capable: last === undefined || this.#panes.kindOf(last).signal !== 'none',
      delivery,
    }
  }

  #watched(task: Task, tab: string | undefined, pane: number | undefined): PaneRow[] {
    const {store} = this.#base
    if (pane !== undefined) return [paneById(store, pane)].filter(row => row !== undefined)
    if (tab !== undefined) return [this.#panes.ofTask(task, tab)]
    return panesOfTask(store, task.id).filter(({kind}) => kind === 'agent')
  }
}

function howItWent(pane: PaneRow | undefined): string {
  if (!pane) return 'there is none'
  if (pane.lostAt !== undefined) return 'its host process died'
  const {code, signal} = pane.exited ?? {}
  return signal ? `ended by ${signal}` : `exit code ${code ?? 'unknown'}`
}
