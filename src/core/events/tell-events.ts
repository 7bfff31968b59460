import type {EventBus} from './event-bus.ts'
import {type ShownEvent, showEvent} from './show-event.ts'

/**
 * Hands a task's events after `afterSeq` to a watcher, one after the other and each once it took the one before, so that a watcher who
 * does not read costs no memory. `end` hands out what happened up to now and stops.
 */
export function tellEvents(
  events: EventBus,
  {taskId, afterSeq}: {taskId: string; afterSeq: number},
  emit: (event: ShownEvent) => Promise<void>,
): {end(): Promise<void>} {
  const stop = new AbortController()
  let told = afterSeq
  const tell = async (until: AbortSignal) => {
    for await (const event of events.follow({afterSeq: told, filter: {taskId}, signal: until})) {
      if (event.type === 'lost') continue
      told = event.seq
      await emit(showEvent(event))
    }
  }
  const telling = tell(stop.signal)
  return {
    async end() {
      stop.abort()
      await telling
      for (const event of events.between(told, events.lastSeq, {taskId})) await emit(showEvent(event))
    },
  }
}
