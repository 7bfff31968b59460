/** Time as the daemon sees it; tests bring one that they turn by hand. */
export interface Clock {
  /** Epoch milliseconds: for what is shown and stored. */
  now(): number
  /** Milliseconds of a clock that nobody sets: for time limits. Stands still while the machine sleeps. */
  monotonic(): number
  /** Calls `fire` once after `delayMs` of the monotonic clock. */
  timer(delayMs: number, fire: () => void): Timer
}

export interface Timer {
  cancel(): void
}

/** Node's timers fire at once when asked for more (a signed 32-bit count of milliseconds, 24.8 days). */
const longestDelayMs = 2 ** 31 - 1

export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer(delayMs, fire) {
    const endsAt = performance.now() + delayMs
    let timeout: NodeJS.Timeout
    const arm = () => {
      const leftMs = endsAt - performance.now()
      timeout =
        leftMs > longestDelayMs ? setTimeout(arm, longestDelayMs) : setTimeout(fire, Math.max(0, leftMs))
    }
    arm()
    return {cancel: () => clearTimeout(timeout)}
  },
}
