import {startingState} from '../agent/starting-state.ts'
import type {Base} from '../base.ts'
import {fail} from '../errors.ts'
import {newId} from '../ids.ts'
import {isLive, type Panes} from '../pane/panes.ts'
import type {DeliveryResult} from '../results.ts'
import {
  type DeliveryRow,
  deliveriesOfTask,
  deliveryById,
  insertDelivery,
  openDeliveriesOfPane,
} from '../store/deliveries-table.ts'
import {insertPane, type PaneRow, paneById, updatePane} from '../store/panes-table.ts'
import {taskById, taskEnv} from '../store/tasks-table.ts'
import type {Task} from '../task/types.ts'
import type {Caller} from '../verb/caller.ts'
import {within} from '../within.ts'
import {queueDelivery} from './queue-delivery.ts'
import {showDelivery} from './show-delivery.ts'
import type {Delivery} from './types.ts'

/** A prompt larger than this is refused; the store, the socket and the shells take 1 MB and more. */
const maxPromptBytes = 7 * 1024 * 1024

/** Longer than any shell takes, shorter than anyone minds. */
const takeWithinMs = 500

export interface SendOptions {
  task: Task
  /** Absent: only a delivery that exists already is meant. */
  text?: string
  tab?: string
  resume?: boolean
  fresh?: boolean
  deliveryId?: string
  by: string
  shell?: Caller['shell']
  /** Called once the prompt is in the queue for good, before anything is waited for. */
  queued?: (deliveryId: string) => Promise<void>
  /** The caller will wait for it, so an agent without a settle signal is refused. */
  wait?: boolean
}

/** Prompts and their queues. */
export class Deliveries {
  readonly #base: Base
  readonly #panes: Panes

  constructor(base: Base, panes: Panes) {
    this.#base = base
    this.#panes = panes
  }

  get(id: string | undefined): DeliveryResult | undefined {
    const row = id === undefined ? undefined : deliveryById(this.#base.store, id)
    if (!row) return undefined
    const {text: _, createdBy: __, ...delivery} = row
    return showDelivery(delivery)
  }

  /**
   * Puts a prompt into the queue of the task's agent. Idempotent by `deliveryId`: the same prompt under the same id is
   * the delivery that exists; another one is `delivery.id-taken`.
   */
  async send(options: SendOptions): Promise<{delivery: DeliveryResult; capable: boolean; warning?: string}> {
    const {task, text, deliveryId, tab, fresh, resume, wait} = options
    const known = deliveryId === undefined ? undefined : deliveryById(this.#base.store, deliveryId)
    if (known) {
      const again = this.#again(known, options)
      await options.queued?.(known.id)
      return again
    }
    if (taskById(this.#base.store, task.id)?.life !== 'live') fail('task.archived', {name: task.name})
    if (text === undefined) fail('delivery.not-found', {delivery: deliveryId, task: task.name})
    checkPrompt(text)

    if (resume) fail('agent.no-session', {task: task.name})
    const before = fresh ? this.#panes.ofTask(task, tab) : this.#livePane(task, tab)
    const capable = this.#panes.kindOf(before).signal !== 'none'
    if (wait && !capable) fail('agent.no-signal', {agent: task.agent})
    const pane = fresh ? await this.#startFresh(options) : before
    const delivery = this.queue({id: deliveryId, pane, text, by: options.by})
    await options.queued?.(delivery.id)
    await this.#setOff(delivery)
    const warning = capable
      ? undefined
      : `agent ${task.agent} gives no sign of being ready, so the prompt is typed at once and nothing confirms it`
    return {delivery: this.get(delivery.id) ?? showDelivery(delivery), capable, warning}
  }

  /** Puts a row into a pane's queue; inside the running transaction when there is one. */
  queue({id = newId(), pane, text, by}: {id?: string; pane: PaneRow; text: string; by: string}): Delivery {
    const {store, clock, events} = this.#base
    const {route} = this.#panes.kindOf(pane)
    const {taskId} = pane
    return store.transaction(() => {
      const at = clock.now()
      const delivery = insertDelivery(store, {
        ...queueDelivery({id, taskId, pane: pane.id, route, at}),
        text,
        createdBy: by,
      })
      events.append({at, taskId, type: 'delivery', pane: pane.id, data: delivery})
      return delivery
    })
  }

  /** The prompt of the newest delivery that failed; throws `delivery.none-failed`. */
  lastFailed(task: Task): string {
    const failed = deliveriesOfTask(this.#base.store, task.id, 100).find(({state}) => state === 'failed')
    const row = failed && deliveryById(this.#base.store, failed.id)
    return row?.text ?? fail('delivery.none-failed', {task: task.name})
  }

  #again(known: DeliveryRow, {task, text, wait}: SendOptions): {delivery: DeliveryResult; capable: boolean} {
    if (known.taskId !== task.id || (text !== undefined && text !== known.text))
      fail('delivery.id-taken', {delivery: known.id})
    const capable = known.route !== 'typed'
    if (wait && !capable) fail('agent.no-signal', {agent: task.agent})
    return {delivery: this.get(known.id) as DeliveryResult, capable}
  }

  /** Sends it off, and gives an agent that is at its prompt a moment to take it, so that the answer says how far it got. */
  async #setOff({id, pane}: Delivery): Promise<void> {
    const {events, store} = this.#base
    const moved = Promise.withResolvers<void>()
    const stop = events.listen(
      ({data}) => {
        if ((data as Delivery).id === id && isTaken(data as Delivery)) moved.resolve()
      },
      {types: ['delivery']},
    )
    const isAtPrompt = ['idle', 'done', 'unknown'].includes(paneById(store, pane)?.state.name ?? '')
    this.#panes.supervisor(pane)?.deliverNext()
    const isNext = openDeliveriesOfPane(store, pane)[0]?.id === id
    if (isNext && isAtPrompt) await within(takeWithinMs, moved.promise)
    stop()
  }

  #livePane(task: Task, tab?: string): PaneRow {
    const pane = this.#panes.ofTask(task, tab)
    if (!isLive(pane)) fail('agent.none', {task: task.name})
    return pane
  }

  /** A new pane in the place of the ended one, in the environment that the task was made with. */
  async #startFresh({task, by, tab}: SendOptions): Promise<PaneRow> {
    const {store, clock} = this.#base
    const old = this.#panes.ofTask(task, tab)
    if (isLive(old)) fail('agent.running', {task: task.name, flag: 'fresh'})
    this.#panes.requireRoom()
    const at = clock.now()
    const row = store.transaction(() => {
      updatePane(store, old.id, {closedAt: at})
      return insertPane(store, {
        ...{taskId: task.id, tabId: old.tabId, kind: 'agent', agent: old.agent, argv: [], cwd: task.path},
        startedBy: by,
        createdAt: at,
        state: startingState(at, this.#panes.kindOf(old)),
      })
    })
    const host = this.#panes.prepareHost(row.id)
    try {
      await this.#panes.launch(row, task, host, taskEnv(store, task.id) ?? {})
    } catch (error) {
      host.abandon()
      updatePane(store, row.id, {closedAt: clock.now(), lostAt: clock.now()})
      updatePane(store, old.id, {closedAt: undefined})
      throw error
    }
    await this.#panes.supervise(row.id)
    return row
  }
}

/** Throws `input.empty-prompt`, `input.nul`, `input.too-large`. */
export function checkPrompt(text: string): void {
  if (text.trim() === '') fail('input.empty-prompt')
  if (text.includes('\0')) fail('input.nul', {what: 'prompt'})
  const size = Buffer.byteLength(text)
  if (size > maxPromptBytes) fail('input.too-large', {what: 'prompt', size, limit: maxPromptBytes})
}

function isTaken({state}: Delivery): boolean {
  return state !== 'queued' && state !== 'written'
}
