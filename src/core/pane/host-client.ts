import {once} from 'node:events'
import {connect, type Socket} from 'node:net'
import {basename, dirname} from 'node:path'
import {TermicError} from '../errors.ts'
import {encodeFrame, FrameReader} from './frame.ts'
import type {HostAnswers, HostFrame, HostRequest, JournalEntry} from './types.ts'

export type HostMethod = HostRequest['method']
export type HostParameters<M extends HostMethod> = Omit<Extract<HostRequest, {method: M}>, 'id' | 'method'>

interface Pending {
  resolve: (answer: HostAnswers[HostMethod]) => void
  reject: (error: TermicError) => void
}

/** A connection to one pane host. A stopped host keeps its callers waiting; only a closed connection fails them. */
export class HostClient implements AsyncDisposable {
  readonly #socket: Socket
  readonly #pane: string
  readonly #frames = new FrameReader()
  readonly #pending = new Map<number, Pending>()
  #lastId = 0
  readonly #onEntry: ((entry: JournalEntry) => void)[] = []
  readonly #onGrown: ((endOffset: number) => void)[] = []
  readonly #onClose: (() => void)[] = []

  private constructor(socket: Socket, pane: string) {
    this.#socket = socket
    this.#pane = pane
    socket.on('close', () => {
      this.#rejectAll()
      for (const tell of this.#onClose.splice(0)) tell()
    })
    // `close` follows and tells all there is to tell.
    socket.on('error', () => {})
    socket.on('data', piece => this.#receive(piece))
  }

  /** Throws the system's error (ENOENT, ECONNREFUSED, EAGAIN) when nobody listens there. */
  static async connect(socketPath: string): Promise<HostClient> {
    const socket = connect(socketPath)
    await once(socket, 'connect')
    return new HostClient(socket, basename(dirname(socketPath)))
  }

  /** One request; throws `pane.lost` when the connection ends before its answer, and `internal` with the host's own reason. */
  request<M extends HostMethod>(method: M, parameters: HostParameters<M>): Promise<HostAnswers[M]> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed || this.#socket.writableEnded) return reject(this.#lost())
      const id = ++this.#lastId
      this.#pending.set(id, {resolve: resolve as Pending['resolve'], reject})
      this.#socket.write(encodeFrame({id, method, ...parameters}))
    })
  }

  /** Called with each entry that a `watch` request brings; to be set before that request. */
  onEntry(take: (entry: JournalEntry) => void): void {
    this.#onEntry.push(take)
  }

  /** Called as the log grows, once `follow` was requested. */
  onGrown(take: (endOffset: number) => void): void {
    this.#onGrown.push(take)
  }

  /** Called once when the connection is gone, whichever side ended it; soon, when it is gone already. */
  onClose(tell: () => void): void {
    if (this.#socket.closed) queueMicrotask(tell)
    else this.#onClose.push(tell)
  }

  close(): void {
    this.#socket.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>(resolve => this.onClose(resolve))
    this.close()
    await closed
  }

  #receive(piece: Buffer): void {
    let frames: unknown[]
    try {
      frames = this.#frames.push(piece)
    } catch {
      // Whoever answers there speaks another language; pending requests are told by `close`.
      this.#socket.destroy()
      return
    }
    for (const frame of frames as HostFrame[]) this.#take(frame)
  }

  #take(frame: HostFrame): void {
    if ('entry' in frame) {
      for (const take of this.#onEntry) take(frame.entry)
    } else if ('grown' in frame) {
      for (const take of this.#onGrown) take(frame.grown.endOffset)
    } else this.#answered(frame)
  }

  #answered(frame: Exclude<HostFrame, {entry: unknown} | {grown: unknown}>): void {
    const pending = this.#pending.get(frame.id)
    this.#pending.delete(frame.id)
    if ('ok' in frame) pending?.resolve(frame.ok)
    else pending?.reject(new TermicError('internal', {reason: frame.error, log: 'daemon.log'}))
  }

  #rejectAll(): void {
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    for (const {reject} of pending) reject(this.#lost())
  }

  #lost(): TermicError {
    return new TermicError('pane.lost', {pane: this.#pane})
  }
}
