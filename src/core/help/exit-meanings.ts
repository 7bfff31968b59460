/** Exit codes are public API: additive only (10-verbs.md §2). */
const meanings: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'error',
  2: 'wrong usage',
  3: 'the agent stopped and needs input',
  4: 'the daemon is not running and was not started',
  5: 'the CLI is switched off in the settings',
  6: 'refused: token missing, wrong or not allowed',
  7: '--timeout is over; the task goes on',
  8: 'the connection was lost',
  9: 'the prompt was never delivered',
  10: 'apply left conflicts',
  11: 'the attached terminal went away',
}

/** Those that every verb may end with. */
export const commonExits: readonly number[] = [0, 1, 2, 4, 5, 6, 8]

/** Of a plain command, which runs in the client and asks the daemon at most for itself. */
export const localExits: readonly number[] = [0, 1, 2, 4, 6, 8]

export const allExits: readonly number[] = Object.keys(meanings).map(Number)

export function exitMeaning(code: number): string {
  return meanings[code] ?? 'see the documentation of the verb'
}
