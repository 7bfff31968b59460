import type {EventBus} from './event-bus.ts'
import {type ShownEvent, showEvent} from './show-event.ts'

/** The events as verbs see them. */
export class EventLog {
  readonly #bus: EventBus

  constructor(bus: EventBus) {
    this.#bus = bus
  }

  lastSeq(): number {
    return this.#bus.lastSeq
  }

  /** Every event after `seq`, then each new one, until the signal is aborted; gaps of forgotten events are passed over. */
  async *since(
    seq: number,
    {taskId, signal}: {taskId?: string; signal: AbortSignal},
  ): AsyncGenerator<ShownEvent> {
    for await (const event of this.#bus.follow({afterSeq: seq, filter: {taskId}, signal})) {
      if (event.type !== 'lost') yield showEvent(event)
    }
  }
}
