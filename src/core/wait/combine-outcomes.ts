import {outcomeExit} from './outcome-exit.ts'

/** The worse news first (10-verbs.md §2). */
const exitOrder: readonly number[] = [8, 9, 7, 3, 0]

/** Exit code of a `wait` over several tasks: of all that ended, the one that most needs to be looked at. */
export function combineOutcomes(outcomes: readonly (keyof typeof outcomeExit)[]): number {
  return combineExits(outcomes.map(outcome => outcomeExit[outcome]))
}

/**
 * The same for exit codes, where a task's wait may also have failed (`agent.gone`: 1). A failure says that nothing is
 * known of that task, so it ranks right behind a lost connection.
 */
export function combineExits(exits: readonly number[]): number {
  const rank = (exit: number) => (exitOrder.includes(exit) ? exitOrder.indexOf(exit) : 0.5)
  return exits.reduce((worst, exit) => (rank(exit) < rank(worst) ? exit : worst), 0)
}

/** The one that decides `wait --any`: the first that ended; in one instant, the first that was named. */
export function firstEnded<T extends {endedAt: number}>(ended: readonly T[]): T | undefined {
  return ended.reduce<T | undefined>(
    (first, one) => (first && first.endedAt <= one.endedAt ? first : one),
    undefined,
  )
}
