import {TermicError} from '../core/errors.ts'

/**
 * The calls under way, and how they end when the daemon goes: what only watches (a wait, a stream) ends at once, what
 * works gets time to finish. All that is cut short ends in one error, which a caller is told only when no other daemon
 * follows: else its connection just ends, and the client takes its call up again.
 */
export class Calls {
  readonly #running = new Set<object>()
  readonly #watching = new AbortController()
  readonly #working = new AbortController()
  /** What a call that was cut short ends in. */
  readonly cut = new TermicError('daemon.stopping', {
    what: ', so this call was cut short (what it began goes on)',
    next: '`termic list` starts it again and shows how things stand',
  })
  #isReplaced = false

  get size(): number {
    return this.#running.size
  }

  /** Whether another daemon follows this one, which goes. */
  get isReplaced(): boolean {
    return this.#isReplaced
  }

  /** `work` as a call under way. Its signal tells that its caller went, as `gone` does, or that the daemon goes. */
  async run<T>(gone: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const call = {}
    this.#running.add(call)
    const {promise: cut, reject} = Promise.withResolvers<never>()
    const end = () => reject(this.cut)
    this.#working.signal.addEventListener('abort', end)
    try {
      return await Promise.race([work(AbortSignal.any([gone, this.#watching.signal])), cut])
    } finally {
      this.#working.signal.removeEventListener('abort', end)
      this.#running.delete(call)
    }
  }

  /** Whether the caller of a call that ended in this is to hear nothing, since another daemon will answer it. */
  isForTheNext(thrown: unknown): boolean {
    return this.#isReplaced && thrown === this.cut
  }

  /** Cuts what watches and gives the rest `limitMs`; then cuts that too, and gives the last words some time. */
  async end({isReplaced, limitMs}: {isReplaced: boolean; limitMs: number}): Promise<void> {
    this.#isReplaced = isReplaced
    this.#watching.abort(this.cut)
    await this.#untilNone(limitMs)
    this.#working.abort()
    await this.#untilNone(lastWordsMs)
  }

  async #untilNone(limitMs: number): Promise<void> {
    const giveUpAt = performance.now() + limitMs
    while (this.#running.size > 0 && performance.now() < giveUpAt)
      await new Promise(resolve => setTimeout(resolve, 10))
  }
}

/** A caller that reads nothing must not hold the daemon up. */
const lastWordsMs = 500
