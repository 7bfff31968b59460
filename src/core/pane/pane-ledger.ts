import {nextState} from '../agent/next-state.ts'
import type {AgentKind, AgentState} from '../agent/types.ts'
import type {Base} from '../base.ts'
import {type DeliveryEvent, nextDelivery} from '../delivery/next-delivery.ts'
import type {Delivery} from '../delivery/types.ts'
import {openDeliveriesOfPane, saveDelivery} from '../store/deliveries-table.ts'
import {type PaneRow, paneById, updatePane} from '../store/panes-table.ts'
import {noteCommands} from './note-commands.ts'
import type {JournalEntry} from './types.ts'

/**
 * What is stored of one pane: its state, its deliveries and how far its journal was read, changed together in one
 * transaction. A daemon that dies at any point leaves a position from which the next one folds on. What is to be done
 * about it stands in the deliveries (`outstandingEffects`).
 */
export class PaneLedger {
  readonly #base: Base
  readonly #kind: AgentKind
  readonly paneId: number
  readonly #dir: string

  constructor(base: Base, kind: AgentKind, pane: {id: number; dir: string}) {
    this.#base = base
    this.#kind = kind
    this.paneId = pane.id
    this.#dir = pane.dir
  }

  row(): PaneRow {
    return paneById(this.#base.store, this.paneId) as PaneRow
  }

  /** Neither settled nor failed, oldest first. */
  open(): Delivery[] {
    return openDeliveriesOfPane(this.#base.store, this.paneId)
  }

  /** Takes in what the journal says; entries that are in the rows already change nothing. */
  fold(entries: readonly JournalEntry[]): void {
    this.#base.store.transaction(() => {
      const row = this.row()
      const fresh = entries.filter(({seq}) => seq > row.journalSeq)
      const last = fresh.at(-1)
      if (last) this.#foldInto(row, fresh, last.seq)
    })
  }

  /** Tells deliveries something; inside the running transaction when there is one. */
  tell(event: DeliveryEvent, deliveries: readonly Delivery[] = this.open()): void {
    this.#base.store.transaction(() => this.#step(deliveries, event))
  }

  /** Its host died without a word: what its agent did is unknown from here on. */
  markLost(): void {
    const {store, clock, events} = this.#base
    const row = this.row()
    const at = clock.now()
    const evidence = {source: 'process', at, detail: 'its host process is gone'} as const
    const state: AgentState = {name: 'lost', since: at, evidence, confidence: 'exact'}
    store.transaction(() => {
      updatePane(store, this.paneId, {state, lostAt: at})
      this.#step(this.open(), {type: 'pane-lost', at})
      this.#tellState(row, state)
      const {taskId} = row
      events.append({at, taskId, type: 'pane', pane: this.paneId, data: {change: 'lost'}})
    })
  }

  #foldInto(row: PaneRow, entries: readonly JournalEntry[], journalSeq: number): void {
    const {store, events} = this.#base
    let readerState = row.readerState ?? this.#kind.reader.initial
    let state = row.state
    for (const entry of entries) {
      const read = this.#kind.reader.read(readerState, entry, {nonce: row.nonce})
      readerState = read.state
      for (const signal of read.signals) {
        state = nextState(state, signal)
        noteCommands(store, this.paneId, signal, this.open())
        this.#step(this.open(), signal)
      }
    }
    const exit = entries.find(entry => entry.type === 'exit')
    const exited = exit && {code: exit.code, signal: exit.signal, at: exit.at, offset: exit.offset}
    updatePane(store, this.paneId, {readerState, state, journalSeq, ...(exited && {exited})})
    this.#tellState(row, state)
    if (!exited) return
    const data = {change: 'exited', exit: exited} as const
    events.append({at: exited.at, taskId: row.taskId, type: 'pane', pane: this.paneId, data})
  }

  #step(deliveries: readonly Delivery[], event: DeliveryEvent): void {
    const {store, events, clock} = this.#base
    for (const before of deliveries) {
      const {delivery} = nextDelivery(before, event)
      if (delivery === before) continue
      saveDelivery(store, delivery)
      if (delivery.state === 'failed') store.afterCommit(() => this.#kind.withdraw?.({paneDir: this.#dir}))
      if (delivery.state === before.state && delivery.attempt === before.attempt) continue
      const {taskId} = delivery
      events.append({at: clock.now(), taskId, type: 'delivery', pane: this.paneId, data: delivery})
    }
  }

  #tellState({taskId, state: before}: PaneRow, state: AgentState): void {
    if (state.name === before.name && state.waitingFor === before.waitingFor) return
    const {events, clock} = this.#base
    events.append({at: clock.now(), taskId, type: 'state', pane: this.paneId, data: state})
  }
}
