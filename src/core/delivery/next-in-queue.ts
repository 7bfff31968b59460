import type {AgentKind, AgentState} from '../agent/types.ts'
import type {Delivery} from './types.ts'

/** Whether anything can still happen to it. A typed prompt that was handed over is over: nothing will ever confirm it. */
export function isOpen(delivery: Delivery): boolean {
  if (delivery.route === 'typed' && delivery.state === 'submitted') return false
  return delivery.state !== 'settled' && delivery.state !== 'failed'
}

/** Whether it is on its way to the agent or in its hands. At most one of a pane is. */
export function isInFlight(delivery: Delivery): boolean {
  return isOpen(delivery) && (delivery.state !== 'queued' || delivery.progress?.writing === true)
}

/**
 * The delivery to write now, or null. `deliveries` are the open ones of one pane, oldest first: the order is kept, so
 * one that is held up by a draft holds up those behind it (40-agents.md §3).
 */
export function nextInQueue(
  deliveries: readonly Delivery[],
  state: AgentState,
  kind: Pick<AgentKind, 'signal'>,
): Delivery | null {
  if (deliveries.some(isInFlight)) return null
  const first = deliveries.find(isOpen)
  if (first === undefined || first.progress?.held) return null
  return takesPrompt(state, kind) ? first : null
}

function takesPrompt(state: AgentState, kind: Pick<AgentKind, 'signal'>): boolean {
  // Nothing will ever tell that such an agent is ready, so a prompt goes at once.
  if (kind.signal === 'none') return state.name !== 'exited' && state.name !== 'lost'
  return state.name === 'idle' || state.name === 'done'
}
