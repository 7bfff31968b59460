import type {WaitResult} from '../results.ts'

/** Exit code of each outcome of a watched run (10-verbs.md §2). */
export const outcomeExit: Record<WaitResult['outcome'], number> = {
  done: 0,
  needs_input: 3,
  timeout: 7,
  lost: 8,
  not_delivered: 9,
}
