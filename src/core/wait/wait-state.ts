import type {AgentState} from '../agent/types.ts'
import type {WaitEnding, WaitEvent, WaitView} from './types.ts'

/**
 * `wait`: whatever runs now. `new`: an agent that was just started, so its absence is no answer yet, and a settled state
 * is its own. `send`: one prompt to an agent that may still show its former turn's `done`.
 */
export type WaitVerb = 'wait' | 'new' | 'send'

export interface WaitOptions {
  verb: WaitVerb
  /** Names for the sentences of failures. */
  task: string
  agent: string
  /** The wait ends with this delivery (`send --wait`, `new --wait -p`), however long the queue is. */
  deliveryId?: string
  timeoutMs?: number
}

/** Conditions that count only once they have held without a break. All on the monotonic clock. */
export const holdLimitsMs = {
  /** The task's row is not there (termic.md §4.5 rule 4). */
  taskAbsent: 15_000,
  /** No agent to be seen, and no word of how it went (rules 3 and 4). */
  agentAbsent: 15_000,
  /** The followed delivery's row is not there (rule 7). */
  deliveryAbsent: 30_000,
  /** The agent waits for a person while prompts wait for the agent (rule 7). */
  queueBlocked: 30_000,
  /** Written, never confirmed, and only heuristics to tell (rule 2). */
  unconfirmed: 90_000,
  /** Settled by heuristics alone: it may be the former turn's end (rule 8). */
  unproven: 30_000,
  /** Nothing has told the agent's state (rule 10). */
  stateUnknown: 120_000,
} as const
export type HoldName = keyof typeof holdLimitsMs

/** Plain data; times are monotonic milliseconds. */
export interface WaitState {
  options: WaitOptions
  deadline?: number
  /** Since when each condition holds; absent: it does not. */
  since: Readonly<Partial<Record<HoldName, number>>>
  /** Rule 5 is over: a live task was seen once. */
  looked: boolean
  seenAgent: boolean
  seenWorking: boolean
  /** Rule 2 was told to the watcher. */
  delivered: boolean
  shown?: Pick<AgentState, 'name' | 'waitingFor'>
}

export interface WaitStep {
  state: WaitState
  emit: readonly WaitEvent[]
  result?: WaitEnding
  /** When time alone could change the answer, monotonic milliseconds; absent: only a change can. */
  wakeAt?: number
}

/** What each rule is given: the trackers after this view, the view, and whether a condition has held long enough. */
export interface WaitLook {
  readonly state: WaitState
  readonly view: WaitView
  readonly held: (name: HoldName) => boolean
}
