import type {AgentState, AgentStateName} from '../agent/types.ts'
import type {Delivery, DeliveryFailure} from '../delivery/types.ts'
import type {ErrorCode, ErrorData} from '../errors.ts'

export type WaitOutcome = 'done' | 'needs_input' | 'timeout' | 'not_delivered'

/** What a wait looks at: the watched tab (or the whole task) at one moment. */
export interface WaitView {
  /** The task's row: gone when archived or removed. */
  task: 'live' | 'archived' | 'absent'
  /** Aggregate state of the watched panes: working > waiting > done > idle; undefined: no live agent. */
  state?: AgentState
  /** How an agent that is gone went (exit code, signal, lost). */
  gone?: string
  /** Deliveries of the watched panes that are neither settled nor failed. */
  queued: number
  /** How many of those no agent has taken yet (queued or written); absent: all of them. */
  undelivered?: number
  /** The kind has a settle signal. */
  capable: boolean
  /** The delivery that this wait follows (`send --wait`, `new --wait`). */
  delivery?: Delivery
}

/** How a wait ended: an outcome with its words, as `--json` prints it, or an expected failure for `fail()`. */
export type WaitEnding = WaitResult | {failure: {code: ErrorCode; data: ErrorData}}

export interface WaitResult {
  outcome: WaitOutcome
  state?: AgentStateName
  /** A lower case fragment: why it was not delivered, what it waits for, how the turn ended. */
  detail?: string
  reason?: DeliveryFailure
  exitCode?: number
}

/** What a watcher is told on the way. */
export type WaitEvent = {type: 'state'; state: AgentState} | {type: 'delivered'; deliveryId: string}
