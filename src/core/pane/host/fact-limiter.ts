import type {JournalFact} from '../types.ts'

/** At most one fact of a kind in so long, once its burst is used up. */
export const limitIntervalMs = 100
/** Each time so much was let through, the interval doubles: what a program can add to the journal grows with the logarithm of its patience. */
const budgetBytes = 4 * 1024 * 1024

interface Limit {
  tokens: number
  refilledAt: number
  /** Text of the last fact that was let through. */
  last: string | null
  waiting: JournalFact | null
}

/**
 * Keeps a program that changes its title a million times from filling the disk: repeated facts are dropped, frequent
 * ones reduced to the latest.
 */
export class FactLimiter {
  readonly #emit: (fact: JournalFact) => void
  readonly #now: () => number
  readonly #limits = new Map<string, Limit>()
  #timer: NodeJS.Timeout | undefined
  #emittedBytes = 0

  constructor(emit: (fact: JournalFact) => void, now: () => number = () => performance.now()) {
    this.#emit = emit
    this.#now = now
  }

  /**
   * @param options.burst so many may pass at once after a quiet time
   * @param options.repeats whether the same fact twice running is news (a bell is, a title isn't)
   */
  offer(key: string, fact: JournalFact, options: {burst: number; repeats: boolean}): void {
    const limit = this.#limitOf(key, options.burst)
    const text = JSON.stringify(fact)
    if (!options.repeats && limit.last === text) {
      limit.waiting = null
    } else if (limit.tokens >= 1) {
      this.#pass(limit, fact, text)
    } else {
      limit.waiting = fact
      this.#schedule()
    }
  }

  /** Lets through what still waits; to be called before the last entry. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const limit of this.#limits.values()) {
      if (limit.waiting !== null) this.#pass(limit, limit.waiting, JSON.stringify(limit.waiting))
    }
  }

  get #intervalMs(): number {
    return limitIntervalMs * 2 ** Math.floor(this.#emittedBytes / budgetBytes)
  }

  #limitOf(key: string, burst: number): Limit {
    const now = this.#now()
    const limit = this.#limits.get(key) ?? {tokens: burst, refilledAt: now, last: null, waiting: null}
    this.#limits.set(key, limit)
    limit.tokens = Math.min(burst, limit.tokens + (now - limit.refilledAt) / this.#intervalMs)
    limit.refilledAt = now
    return limit
  }

  #pass(limit: Limit, fact: JournalFact, text: string): void {
    limit.tokens = Math.max(0, limit.tokens - 1)
    limit.last = text
    limit.waiting = null
    this.#emittedBytes += text.length
    this.#emit(fact)
  }

  #schedule(): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      for (const [key, limit] of this.#limits) {
        if (limit.waiting === null) continue
        this.#limitOf(key, 1)
        // Timers may fire a hair early.
        if (limit.tokens > 0.98) this.#pass(limit, limit.waiting, JSON.stringify(limit.waiting))
        else this.#schedule()
      }
    }, this.#intervalMs)
  }
}
