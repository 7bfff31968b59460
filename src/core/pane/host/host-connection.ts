import type {Socket} from 'node:net'
import {encodeFrame, FrameReader} from '../frame.ts'
import type {HostAnswers, HostFrame, HostRequest, JournalEntry} from '../types.ts'

/** Queued for a client that doesn't read; beyond it the client is dropped. */
export const maxQueueBytes = 1024 * 1024
/** Entries go out while less than this is queued; a watcher that lags reads on from the journal, so it costs no memory. */
const watchQueueBytes = 128 * 1024
const entriesAtOnce = 256
const grownEveryMs = 8

export interface HostService {
  answer(request: HostRequest, connection: HostConnection): Promise<HostAnswers[keyof HostAnswers]>
  entries(afterSeq: number, most: number): JournalEntry[]
  lastSeq(): number
  endOffset(): number
}

/** One client of the host. Nothing that it does or leaves undone reaches the terminal. */
export class HostConnection {
  readonly #socket: Socket
  readonly #service: HostService
  readonly #frames = new FrameReader()
  #watchedSeq: number | null = null
  #toldOffset: number | null = null
  #hasAsked = false
  #grownTimer: NodeJS.Timeout | undefined

  constructor(socket: Socket, service: HostService) {
    this.#socket = socket
    this.#service = service
    // A client that died mid-frame is no affair of the host's; `close` follows.
    socket.on('error', () => {})
    socket.on('data', piece => this.#receive(piece))
    socket.on('drain', () => this.advance())
    socket.on('close', () => clearTimeout(this.#grownTimer))
  }

  /** Whether everything it asked to be told is on its way. */
  get isServed(): boolean {
    if (this.#socket.destroyed) return true
    // It has only just come, to ask about this very end.
    if (!this.#hasAsked) return false
    const isCaughtUp = this.#watchedSeq === null || this.#watchedSeq >= this.#service.lastSeq()
    return isCaughtUp && this.#socket.writableLength === 0
  }

  watch(afterSeq: number): void {
    this.#watchedSeq = afterSeq
    // After the answer, which is sent when this call returns.
    setImmediate(() => this.advance())
  }

  follow(): void {
    this.#toldOffset = this.#service.endOffset()
  }

  /** Sends what is new to a watcher or follower, as far as it keeps up. */
  advance(): void {
    while (
      this.#watchedSeq !== null &&
      this.#socket.writableLength < watchQueueBytes &&
      !this.#socket.destroyed
    ) {
      const entries = this.#service.entries(this.#watchedSeq, entriesAtOnce)
      if (entries.length === 0) break
      this.#watchedSeq = entries.at(-1)?.seq ?? this.#watchedSeq
      for (const entry of entries) this.#send({entry})
    }
    if (this.#toldOffset !== null && this.#grownTimer === undefined) this.#tellGrown()
  }

  end(): void {
    if (this.#toldOffset !== null && this.#toldOffset < this.#service.endOffset()) this.#sendGrown()
    this.#socket.end()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #tellGrown(): void {
    if (this.#socket.writableLength > 0 || this.#service.endOffset() === this.#toldOffset) return
    this.#sendGrown()
    this.#grownTimer = setTimeout(() => {
      this.#grownTimer = undefined
      this.#tellGrown()
    }, grownEveryMs)
  }

  #sendGrown(): void {
    this.#toldOffset = this.#service.endOffset()
    this.#send({grown: {endOffset: this.#toldOffset}})
  }

  #receive(piece: Buffer): void {
    let messages: unknown[]
    try {
      messages = this.#frames.push(piece)
    } catch {
      // Not our protocol: nothing more that comes can be understood.
      this.#socket.destroy()
      return
    }
    for (const message of messages) void this.#handle(message as HostRequest)
  }

  async #handle(request: HostRequest): Promise<void> {
    this.#hasAsked = true
    const id = request?.id
    try {
      this.#send({id, ok: await this.#service.answer(request, this)})
    } catch (error) {
      this.#send({id, error: error instanceof Error ? error.message : String(error)})
    }
  }

  #send(frame: HostFrame): void {
    if (this.#socket.destroyed || this.#socket.writableEnded) return
    this.#socket.write(encodeFrame(frame))
    if (this.#socket.writableLength > maxQueueBytes) this.#socket.destroy()
  }
}
