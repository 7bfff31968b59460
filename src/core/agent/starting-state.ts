import type {AgentKind, AgentState} from './types.ts'

/** The state of an agent whose terminal is being made: unknown, now and ever, where the kind gives no sign. `at` is epoch milliseconds. */
export function startingState(at: number, {signal}: Pick<AgentKind, 'signal'>): AgentState {
  const detail = 'this agent gives no sign of what it does'
  if (signal === 'none') {
    return {name: 'unknown', since: at, evidence: {source: 'none', at, detail}, confidence: 'heuristic'}
  }
  return {
    name: 'starting',
    since: at,
    evidence: {source: 'none', at, detail: 'its terminal was asked for'},
    confidence: 'exact',
  }
}
