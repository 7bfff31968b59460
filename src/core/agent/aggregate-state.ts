import type {AgentState, AgentStateName} from './types.ts'

/** The first that any pane is in is the task's (termic.md §4.4): what needs a person's eye soonest. */
const order: readonly AgentStateName[] = [
  'working',
  'waiting',
  'starting',
  'unknown',
  'done',
  'idle',
  'lost',
  'exited',
]

/** The one state of several panes, or undefined without any. */
export function aggregateState(states: readonly AgentState[]): AgentState | undefined {
  return order.map(name => states.find(state => state.name === name)).find(state => state !== undefined)
}
