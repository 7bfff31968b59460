import type {AgentKind, DeliveryContext} from '../agent/types.ts'
import type {Base} from '../base.ts'
import type {Timer} from '../clock.ts'
import {tickDueAt} from '../delivery/confirmation-clock.ts'
import type {DeliveryEffect} from '../delivery/delivery-step.ts'
import {type DeliveryEvent, outstandingEffects} from '../delivery/next-delivery.ts'
import {nextInQueue} from '../delivery/next-in-queue.ts'
import {deliveryById} from '../store/deliveries-table.ts'
import {adopt} from './adopt.ts'
import type {HostClient} from './host-client.ts'
import {readJournal} from './log-reader.ts'
import {PaneLedger} from './pane-ledger.ts'
import type {JournalEntry} from './types.ts'

/** The private mode in which a program takes a paste as one piece. */
const bracketedPaste = 2004
/** After a failure (a full disk, a host that can't be reached) it is tried again so much later. */
const retryMs = 1000

/**
 * Follows one pane: has its journal folded into state and deliveries, and carries out what these ask for. Everything that
 * is owed stands in the rows, so whatever fails is tried again, and what a daemon that died may have half carried out is
 * safe to repeat.
 */
export class PaneSupervisor {
  readonly #base: Base
  readonly #kind: AgentKind
  readonly #dir: string
  readonly #ledger: PaneLedger
  readonly #onEnd: () => void
  readonly #reached = Promise.withResolvers<void>()
  #client: HostClient | undefined
  #pending: JournalEntry[] = []
  #isFlushDue = false
  /** The journal was folded to its end once: before that nothing is done, since the state may be yesterday's. */
  #isCurrent = false
  #onFolded: (() => void) | undefined
  /** Inputs that the host was asked for and has not answered, and interrupts that it has. */
  readonly #asked = new Set<string>()
  #timer: Timer | undefined
  #retry: Timer | undefined
  #closed = false
  #warned = ''

  constructor(base: Base, kind: AgentKind, pane: {id: number; dir: string}, onEnd: () => void) {
    this.#base = base
    this.#kind = kind
    this.#dir = pane.dir
    this.#ledger = new PaneLedger(base, kind, pane)
    this.#onEnd = onEnd
  }

  /**
   * Finds the pane's host and follows it, or reads what it left behind. Tries until it has, and resolves when the rows say
   * how the pane stands.
   */
  async take(): Promise<void> {
    while (!this.#closed) {
      try {
        const adoption = await adopt(this.#dir)
        if (this.#closed) return
        return 'alive' in adoption ? await this.#follow(adoption.alive) : await this.#bury()
      } catch (error) {
        this.#warn(error)
        await new Promise<void>(resolve => this.#base.clock.timer(retryMs, resolve))
      }
    }
  }

  /** The live host, or undefined once the program has ended, or while the host does not answer. */
  get client(): HostClient | undefined {
    return this.#client
  }

  /** Resolves when the host answered, or turned out to be gone. */
  get reached(): Promise<void> {
    return this.#reached.promise
  }

  /** Something came into the queue. */
  deliverNext(): void {
    this.#goOn()
  }

  /** Tells the deliveries of this pane something that its journal does not say; in the running transaction if there is one. */
  tell(event: DeliveryEvent): void {
    this.#ledger.tell(event)
  }

  close(): void {
    this.#closed = true
    this.#timer?.cancel()
    this.#retry?.cancel()
    this.#client?.close()
    this.#reached.resolve()
  }

  async #follow(client: HostClient): Promise<void> {
    this.#pending = []
    client.onEntry(entry => this.#take(entry))
    await client.request('watch', {afterSeq: this.#ledger.row().journalSeq})
    const {lastSeq} = await client.request('status', {})
    this.#client = client
    client.onClose(() => void this.#hostWentAway())
    this.#reached.resolve()
    await this.#foldedTo(lastSeq)
    this.#isCurrent = true
    this.#goOn()
  }

  async #bury(): Promise<void> {
    const {entries} = await readJournal(this.#dir, {afterSeq: this.#ledger.row().journalSeq})
    this.#ledger.fold(entries)
    const {exited, lostAt} = this.#ledger.row()
    if (!exited && lostAt === undefined) this.#ledger.markLost()
    this.close()
    this.#onEnd()
  }

  async #hostWentAway(): Promise<void> {
    this.#client = undefined
    this.#isCurrent = false
    this.#onFolded?.()
    await this.take()
  }

  /** Entries that come in one turn of the event loop are one transaction. */
  #take(entry: JournalEntry): void {
    this.#pending.push(entry)
    if (this.#isFlushDue) return
    this.#isFlushDue = true
    setImmediate(() => {
      this.#isFlushDue = false
      this.#goOn()
    })
  }

  /** Entries are let go once they are stored. */
  #flush(): void {
    const entries = this.#pending
    if (entries.length === 0) return
    this.#ledger.fold(entries)
    this.#pending = this.#pending.slice(entries.length)
    this.#onFolded?.()
  }

  #foldedTo(seq: number): Promise<void> {
    return new Promise(resolve => {
      this.#onFolded = () => {
        if (this.#closed || !this.#client || this.#ledger.row().journalSeq >= seq) resolve()
      }
      this.#onFolded()
    })
  }

  /** Does what the rows ask for, as far as it can be done now. Safe at any time. */
  #goOn(): void {
    if (this.#closed) return
    try {
      this.#flush()
      if (!this.#client || !this.#isCurrent) return
      const open = this.#ledger.open()
      const next = nextInQueue(open, this.#ledger.row().state, this.#kind)
      if (next) this.#ledger.tell({type: 'write-begun'}, [next])
      for (const delivery of next ? this.#ledger.open() : open)
        for (const effect of outstandingEffects(delivery)) void this.#carryOut(delivery.id, effect)
      this.#armTimer()
    } catch (error) {
      this.#tryAgain(error)
    }
  }

  /** Safe to repeat: the host writes an input id once. */
  async #carryOut(id: string, {type, inputId}: DeliveryEffect): Promise<void> {
    const delivery = deliveryById(this.#base.store, id)
    if (!this.#client || !delivery || this.#asked.has(inputId)) return
    this.#asked.add(inputId)
    try {
      const isInterrupt = type === 'interrupt'
      const bytes = isInterrupt
        ? this.#kind.interrupt
        : await this.#kind.deliver({deliveryId: id, text: delivery.text}, await this.#deliveryContext())
      const data = Buffer.from(bytes).toString('base64')
      const {state, offset} = await this.#client.request('input', {inputId, data})
      if (state === 'exited' || isInterrupt || this.#closed) return
      this.#flush()
      this.#ledger.tell({type: 'written', at: this.#base.clock.now(), inputId, offset})
      this.#asked.delete(inputId)
      this.#goOn()
    } catch (error) {
      // The host went away (its journal tells how), the inbox can't be written, or the rows can't.
      this.#asked.delete(inputId)
      this.#tryAgain(error)
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
    const {clock} = this.#base
    const due = this.#ledger
      .open()
      .map(tickDueAt)
      .filter(at => at !== undefined)
    if (due.length === 0) return
    this.#timer = clock.timer(Math.max(0, Math.min(...due) - clock.now()), () => this.#tick())
  }

  #tick(): void {
    if (this.#closed || !this.#isCurrent) return
    try {
      this.#flush()
      this.#ledger.tell({type: 'tick', now: this.#base.clock.now()})
      this.#goOn()
    } catch (error) {
      this.#tryAgain(error)
    }
  }

  #tryAgain(error: unknown): void {
    this.#warn(error)
    if (this.#closed) return
    this.#retry ??= this.#base.clock.timer(retryMs, () => {
      this.#retry = undefined
      this.#goOn()
    })
  }

  /** Said once and not at each try. */
  #warn(error: unknown): void {
    const text = `pane ${this.#ledger.paneId}: ${(error as Error).message}`
    if (text !== this.#warned) this.#base.log.warn(text)
    this.#warned = text
  }
}
