import {eventRange, eventsAfter, insertEvent, pruneEvents} from '../store/events-table.ts'
import type {Store} from '../store/store.ts'
import {throwLater} from '../throw-later.ts'
import type {CoreEvent, EventFilter, EventsLost, NewCoreEvent} from './types.ts'

export interface FollowOptions {
  filter?: EventFilter
  /** Begin after this event; absent: with the next one that happens. */
  afterSeq?: number
  /** Ends the iteration. */
  signal?: AbortSignal
}

interface Subscription {
  filter: EventFilter
  notify(event: CoreEvent): void
}

/** Events kept for subscribers that come back; pruned so many at a time. */
const keptEvents = 10_000
const pruneEvery = 500
const pageSize = 256

/**
 * What happens, as rows and as a stream. A follower is no more than a position in the table, so one that is slow costs
 * no memory and misses nothing that is still kept.
 */
export class EventBus {
  readonly #store: Store
  readonly #subscriptions = new Set<Subscription>()
  readonly #ended = new AbortController()

  constructor(store: Store) {
    this.#store = store
  }

  /** Stores the event as a part of the running transaction, and tells everyone once that is on the disk. */
  append(event: NewCoreEvent): CoreEvent {
    const stored = insertEvent(this.#store, event)
    if (stored.seq % pruneEvery === 0) pruneEvents(this.#store, keptEvents)
    this.#store.afterCommit(() => this.#publish(stored))
    return stored
  }

  /** Number of the newest event; 0 before the first. */
  get lastSeq(): number {
    return eventRange(this.#store).last
  }

  /** Calls `listener` for each event, right after its commit; returns how to stop that. */
  listen(listener: (event: CoreEvent) => void, filter: EventFilter = {}): () => void {
    const subscription = {filter, notify: listener}
    this.#subscriptions.add(subscription)
    return () => void this.#subscriptions.delete(subscription)
  }

  /** Every event from a position on, in order, without gap or repetition; a gap that can't be filled is told as `lost`. */
  follow({
    filter = {},
    afterSeq,
    signal,
  }: FollowOptions = {}): AsyncGenerator<CoreEvent | EventsLost, void, void> {
    // Taken here and not at the first `next`, so that nothing that happens in between is missed.
    const start = Math.min(afterSeq ?? Number.POSITIVE_INFINITY, this.lastSeq)
    return this.#follow(
      start,
      filter,
      signal ? AbortSignal.any([signal, this.#ended.signal]) : this.#ended.signal,
    )
  }

  /** What is stored after `afterSeq` up to `lastSeq`, oldest first; no more than a page. */
  between(afterSeq: number, lastSeq: number, filter: EventFilter = {}): CoreEvent[] {
    return eventsAfter(this.#store, afterSeq, pageSize, filter).filter(({seq}) => seq <= lastSeq)
  }

  /** Ends every iteration. */
  close(): void {
    this.#ended.abort()
    this.#subscriptions.clear()
  }

  async *#follow(start: number, filter: EventFilter, signal: AbortSignal) {
    let position = start
    while (!signal.aborted) {
      const {first, last} = eventRange(this.#store)
      if (position < first - 1) {
        yield {type: 'lost', from: position + 1, to: first - 1} satisfies EventsLost
        position = first - 1
        continue
      }
      const page = eventsAfter(this.#store, position, pageSize, filter)
      position = page.length < pageSize ? last : (page.at(-1)?.seq ?? last)
      for (const event of page) {
        if (signal.aborted) return
        yield event
      }
      // Events may have come while the page was being taken; only then is there something to read at once.
      if (!signal.aborted && eventRange(this.#store).last <= position) await this.#next(filter, signal)
    }
  }

  /** The next event that passes the filter, or the end. */
  #next(filter: EventFilter, signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const stop = this.listen(done, filter)
      signal.addEventListener('abort', done)
      function done() {
        stop()
        signal.removeEventListener('abort', done)
        resolve()
      }
    })
  }

  #publish(event: CoreEvent): void {
    for (const {filter, notify} of [...this.#subscriptions]) {
      if (!passes(event, filter)) continue
      try {
        notify(event)
      } catch (error) {
        // The others are told all the same.
        throwLater(error)
      }
    }
  }
}

function passes(event: CoreEvent, {taskId, types}: EventFilter): boolean {
  return (
    (taskId === undefined || event.taskId === taskId) && (types === undefined || types.includes(event.type))
  )
}
