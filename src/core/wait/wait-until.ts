import type {Clock, Timer} from '../clock.ts'
import {nextWait, startWait} from './next-wait.ts'
import type {WaitEnding, WaitEvent, WaitView} from './types.ts'
import type {WaitOptions} from './wait-state.ts'

export interface WaitUntilOptions extends WaitOptions {
  view: () => WaitView | Promise<WaitView>
  /** Calls `notify` after each change of what `view` shows; returns the function that ends this. */
  changed: (notify: () => void) => () => void
  clock: Clock
  /** Ends the wait from outside: the promise is rejected with its reason, whatever the view does. */
  signal?: AbortSignal
  onEvent?: (event: WaitEvent) => void
}

/**
 * Waits until the ten rules end it. It looks once at the start, after each change and when time alone could decide;
 * changes during a look are one more look. A quiet wait costs no wakeup but its deadline's. Rejects when it is aborted
 * or a look fails; however it ends, no timer and no listener is left.
 */
export async function waitUntil(options: WaitUntilOptions): Promise<WaitEnding> {
  const {view, changed, clock, signal, onEvent} = options
  signal?.throwIfAborted()
  const bell = createBell()
  const aborted = Promise.withResolvers<never>()
  // The race may be over before the abort; it must not end the process as an unhandled rejection then.
  aborted.promise.catch(() => {})
  const abort = () => aborted.reject(signal?.reason)
  signal?.addEventListener('abort', abort, {once: true})
  let unsubscribe: (() => void) | undefined
  let timer: Timer | undefined
  try {
    let state = startWait(options, clock.monotonic())
    // Before the first look, or a change in between would be missed.
    unsubscribe = changed(bell.ring)
    for (;;) {
      bell.reset()
      const seen = await Promise.race([view(), aborted.promise])
      const step = nextWait(state, seen, clock.monotonic())
      state = step.state
      for (const event of step.emit) onEvent?.(event)
      if (step.result !== undefined) return step.result
      if (step.wakeAt !== undefined) timer = clock.timer(step.wakeAt - clock.monotonic(), bell.ring)
      await Promise.race([bell.rung(), aborted.promise])
      timer?.cancel()
    }
  } finally {
    timer?.cancel()
    unsubscribe?.()
    signal?.removeEventListener('abort', abort)
  }
}

/** Remembers that it rang, so that nothing is missed while nobody listens. */
function createBell() {
  let current = Promise.withResolvers<void>()
  return {
    ring: () => current.resolve(),
    rung: () => current.promise,
    reset: () => {
      current = Promise.withResolvers<void>()
    },
  }
}
