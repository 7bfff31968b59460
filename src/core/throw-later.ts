/**
 * Hands an error to the process' own handler (which logs it), where the caller at hand must not see it: what the caller
 * asked for was done.
 */
export function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}
