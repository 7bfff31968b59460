import {nextState} from '../agent/next-state.ts'
import type {AgentKind, AgentState, DeliveryContext} from '../agent/types.ts'
import type {Base} from '../base.ts'
import type {Timer} from '../clock.ts'
import {tickDueAt} from '../delivery/confirmation-clock.ts'
import type {DeliveryEffect} from '../delivery/delivery-step.ts'
import {type DeliveryEvent, nextDelivery, outstandingEffects} from '../delivery/next-delivery.ts'
import {nextInQueue} from '../delivery/next-in-queue.ts'
import type {Delivery} from '../delivery/types.ts'
import {deliveryById, openDeliveriesOfPane, saveDelivery} from '../store/deliveries-table.ts'
import {type PaneRow, paneById, updatePane} from '../store/panes-table.ts'
import {type Adoption, adopt} from './adopt.ts'
import type {HostClient} from './host-client.ts'
import {readJournal} from './log-reader.ts'
import {noteCommands} from './note-commands.ts'
import type {JournalEntry} from './types.ts'

/** The private mode in which a program takes a paste as one piece. */
const bracketedPaste = 2004

/**
 * Follows one pane: folds its journal into state and deliveries, stored together with the journal's position, and
 * carries out what the delivery table asks for. A daemon that dies at any point leaves a position from which the next
 * one folds on; what it may have half carried out is safe to repeat.
 */
export class PaneSupervisor {
  readonly #base: Base
  readonly #kind: AgentKind
  readonly paneId: number
  readonly #dir: string
  #client: HostClient | undefined
  #pending: JournalEntry[] = []
  #flushing = false
  #timer: Timer | undefined
  #closed = false
  readonly #onEnd: () => void

  constructor(base: Base, kind: AgentKind, pane: {id: number; dir: string}, onEnd: () => void) {
    this.#base = base
    this.#kind = kind
    this.paneId = pane.id
    this.#dir = pane.dir
    this.#onEnd = onEnd
  }

  /** Follows a host that is alive; repeats whatever the former daemon may not have carried out. */
  async follow(client: HostClient): Promise<void> {
    this.#client = client
    client.onEntry(entry => this.#take(entry))
    client.onClose(() => void this.#hostWentAway())
    await client.request('watch', {afterSeq: this.#row().journalSeq})
    this.#flush()
    for (const delivery of this.#open())
      for (const effect of outstandingEffects(delivery)) void this.#carryOut(delivery.id, effect)
    this.deliverNext()
  }

  /** Reads what a host that ended left behind; one that ended without a word makes the pane lost. */
  async bury(): Promise<void> {
    const {entries} = await readJournal(this.#dir, {afterSeq: this.#row().journalSeq})
    this.#fold(entries)
    const row = this.#row()
    if (!row.exited && row.lostAt === undefined) this.#markLost(row)
    this.#end()
  }

  /** The live host, or undefined once the program has ended. */
  get client(): HostClient | undefined {
    return this.#client
  }

  /** Writes the oldest prompt of the queue when the agent can take one. */
  deliverNext(): void {
    if (!this.#client) return
    const next = nextInQueue(this.#open(), this.#row().state, this.#kind)
    if (next) this.#apply([next], {type: 'write-begun'})
    this.#armTimer()
  }

  /** Tells the deliveries of this pane something that its journal does not say (archived, cancelled). */
  tell(event: DeliveryEvent): void {
    this.#apply(this.#open(), event)
  }

  close(): void {
    this.#closed = true
    this.#timer?.cancel()
    this.#client?.close()
  }

  #row(): PaneRow {
    return paneById(this.#base.store, this.paneId) as PaneRow
  }

  #open(): Delivery[] {
    return openDeliveriesOfPane(this.#base.store, this.paneId)
  }

  /** Entries that come in one turn of the event loop are one transaction. */
  #take(entry: JournalEntry): void {
    this.#pending.push(entry)
    if (this.#flushing) return
    this.#flushing = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#flushing = false
    const entries = this.#pending
    this.#pending = []
    if (this.#closed || entries.length === 0) return
    try {
      this.#fold(entries)
      this.deliverNext()
    } catch (error) {
      // A full disk, say: nothing was taken, so the entries are folded with the next ones or by the next daemon.
      this.#pending = [...entries, ...this.#pending]
      this.#base.log.error(`pane ${this.paneId}: ${(error as Error).message}`)
      this.#base.clock.timer(1000, () => this.#flush())
    }
  }

  #fold(entries: readonly JournalEntry[]): void {
    const {store} = this.#base
    const effects = store.transaction(() => {
      const row = this.#row()
      const fresh = entries.filter(({seq}) => seq > row.journalSeq)
      const last = fresh.at(-1)
      if (!last) return []
      let readerState = row.readerState ?? this.#kind.reader.initial
      let state = row.state
      const asked: Array<[string, DeliveryEffect]> = []
      for (const entry of fresh) {
        const read = this.#kind.reader.read(readerState, entry, {nonce: row.nonce})
        readerState = read.state
        for (const signal of read.signals) {
          state = nextState(state, signal)
          noteCommands(store, this.paneId, signal, this.#open())
          asked.push(...this.#step(this.#open(), signal))
        }
      }
      const exit = fresh.find(entry => entry.type === 'exit')
      const exited =
        exit?.type === 'exit'
          ? {code: exit.code, signal: exit.signal, at: exit.at, offset: exit.offset}
          : undefined
      updatePane(store, this.paneId, {readerState, state, journalSeq: last.seq, ...(exited && {exited})})
      this.#tellState(row, state)
      if (exited)
        this.#base.events.append({
          at: exited.at,
          taskId: row.taskId,
          type: 'pane',
          pane: this.paneId,
          data: {change: 'exited', exit: exited},
        })
      return asked
    })
    for (const [id, effect] of effects) void this.#carryOut(id, effect)
  }

  #apply(deliveries: readonly Delivery[], event: DeliveryEvent): void {
    const effects = this.#base.store.transaction(() => this.#step(deliveries, event))
    for (const [id, effect] of effects) void this.#carryOut(id, effect)
    this.#armTimer()
  }

  /** Steps deliveries inside the running transaction and returns what is to be done once it holds. */
  #step(deliveries: readonly Delivery[], event: DeliveryEvent): Array<[string, DeliveryEffect]> {
    const {store, events, clock} = this.#base
    return deliveries.flatMap(before => {
      const {delivery, effects} = nextDelivery(before, event)
      if (delivery !== before) {
        saveDelivery(store, delivery)
        if (delivery.state === 'failed') store.afterCommit(() => this.#kind.withdraw?.({paneDir: this.#dir}))
        if (delivery.state !== before.state || delivery.attempt !== before.attempt) {
          events.append({
            at: clock.now(),
            taskId: delivery.taskId,
            type: 'delivery',
            pane: this.paneId,
            data: delivery,
          })
        }
      }
      return effects.map((effect): [string, DeliveryEffect] => [delivery.id, effect])
    })
  }

  #tellState({taskId, state: before}: PaneRow, state: AgentState): void {
    if (state.name === before.name && state.waitingFor === before.waitingFor) return
    this.#base.events.append({
      at: this.#base.clock.now(),
      taskId,
      type: 'state',
      pane: this.paneId,
      data: state,
    })
  }

  /** Safe to repeat: the host writes an input id once. */
  async #carryOut(id: string, effect: DeliveryEffect): Promise<void> {
    try {
      const delivery = deliveryById(this.#base.store, id)
      if (!this.#client || !delivery) return
      const bytes =
        effect.type === 'interrupt'
          ? this.#kind.interrupt
          : await this.#kind.deliver({deliveryId: id, text: delivery.text}, await this.#deliveryContext())
      const data = Buffer.from(bytes).toString('base64')
      const {state, offset} = await this.#client.request('input', {inputId: effect.inputId, data})
      if (state === 'exited' || effect.type === 'interrupt' || this.#closed) return
      this.#flush()
      this.#apply(this.#open(), {
        type: 'written',
        at: this.#base.clock.now(),
        inputId: effect.inputId,
        offset,
      })
    } catch (error) {
      // The host went away (the journal tells how it ended) or the inbox can't be written: the row says what is open.
      this.#base.log.warn(`pane ${this.paneId}, delivery ${id}: ${(error as Error).message}`)
    }
  }

  async #deliveryContext(): Promise<DeliveryContext> {
    if (this.#kind.route !== 'typed') return {paneDir: this.#dir}
    const {entries} = await readJournal(this.#dir, {afterSeq: 0})
    const mode = entries.findLast(entry => entry.type === 'mode' && entry.mode === bracketedPaste)
    return {paneDir: this.#dir, bracketedPaste: mode?.type === 'mode' && mode.set}
  }

  #armTimer(): void {
    this.#timer?.cancel()
    const due = this.#open()
      .map(tickDueAt)
      .filter(at => at !== undefined)
    if (due.length === 0 || this.#closed) return
    const {clock} = this.#base
    this.#timer = clock.timer(Math.max(0, Math.min(...due) - clock.now()), () => {
      this.#flush()
      this.#apply(this.#open(), {type: 'tick', now: clock.now()})
      this.deliverNext()
    })
  }

  async #hostWentAway(): Promise<void> {
    this.#client = undefined
    if (this.#closed) return
    this.#flush()
    if (this.#row().exited) return this.#end()
    const adoption: Adoption = await adopt(this.#dir)
    if (this.#closed) return
    if ('alive' in adoption) return this.follow(adoption.alive)
    await this.bury()
  }

  #markLost(row: PaneRow): void {
    const {store, clock, events} = this.#base
    const at = clock.now()
    const state: AgentState = {
      name: 'lost',
      since: at,
      evidence: {source: 'process', at, detail: 'its host process is gone'},
      confidence: 'exact',
    }
    store.transaction(() => {
      updatePane(store, this.paneId, {state, lostAt: at})
      this.#step(this.#open(), {type: 'pane-lost', at})
      this.#tellState(row, state)
      events.append({at, taskId: row.taskId, type: 'pane', pane: this.paneId, data: {change: 'lost'}})
    })
  }

  #end(): void {
    this.close()
    this.#onEnd()
  }
}
