import type {ConfirmationClock, Delivery} from './types.ts'

/** An agent at its prompt that has not taken the prompt by then never saw the key (40-agents.md §3). */
export const confirmWithinMs = 5_000

/**
 * After a new prompt showed up: the key may still lie in the terminal behind what a person typed in the same instant,
 * and is read within milliseconds then. Writing again at once would put a second key into the prompt's own program.
 */
export const freshPromptGraceMs = 250

/** How long a draft is left alone before the composer is looked at again. */
export const draftRetryMs = 3_000

/** All attempts together (termic.md §4.5 rule 2). */
export const confirmInAllMs = 90_000

/** One look counts at most this much: twice the interval of the looks, so that a late timer counts in full. */
const longestGapMs = 2 * confirmWithinMs

/** The clock after the time up to `at` (epoch milliseconds) was counted. Going backwards counts nothing. */
export function countUpTo(clock: ConfirmationClock, at: number): ConfirmationClock {
  const gapMs = Math.min(Math.max(at - (clock.lookedAt ?? at), 0), longestGapMs)
  return {
    agent: clock.agent,
    lookedAt: at,
    unconfirmedMs: clock.unconfirmedMs + (clock.agent === 'working' ? 0 : gapMs),
    promptMs: clock.promptMs + (clock.agent === 'prompt' ? gapMs : 0),
  }
}

/** How long this attempt may stay at the prompt without an answer, in milliseconds. */
export function patienceMs(delivery: Delivery): number {
  return delivery.progress?.freshPrompt ? freshPromptGraceMs : confirmWithinMs
}

/** When the next `tick` could change something, in epoch milliseconds; undefined: no timer is needed. */
export function tickDueAt(delivery: Delivery): number | undefined {
  const {clock, held, heldAt = 0} = delivery.progress ?? {}
  if (held) return heldAt + draftRetryMs
  if (clock === undefined || clock.agent === 'working') return undefined
  if (clock.lookedAt === undefined) return 0
  const atPromptMs =
    clock.agent === 'prompt' && !delivery.progress?.writing
      ? patienceMs(delivery) - clock.promptMs
      : confirmWithinMs
  return (
    clock.lookedAt + Math.max(0, Math.min(atPromptMs, confirmInAllMs - clock.unconfirmedMs, confirmWithinMs))
  )
}
