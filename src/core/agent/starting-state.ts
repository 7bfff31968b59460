import type {AgentState} from './types.ts'

/** The state of an agent whose terminal is being made. `at` is epoch milliseconds. */
export function startingState(at: number): AgentState {
  return {
    name: 'starting',
    since: at,
    evidence: {source: 'none', at, detail: 'its terminal was asked for'},
    confidence: 'exact',
  }
}
