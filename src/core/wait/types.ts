import type {AgentState} from '../agent/types.ts'
import type {Delivery} from '../delivery/types.ts'

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
  /** The kind has a settle signal. */
  capable: boolean
  /** The delivery that this wait follows (`send --wait`, `new --wait`). */
  delivery?: Delivery
}
