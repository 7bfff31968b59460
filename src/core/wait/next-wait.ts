import type {WaitView} from './types.ts'
import type {WaitOptions, WaitState, WaitStep} from './wait-state.ts'

/** A wait that begins at `now` (monotonic milliseconds). */
export function startWait(options: WaitOptions, now: number): WaitState {
  return {
    options,
    ...(options.timeoutMs === undefined ? {} : {deadline: now + options.timeoutMs}),
    since: {},
    looked: false,
    seenAgent: false,
    seenWorking: false,
    delivered: false,
  }
}

/** One look at the view: the ten rules of termic.md §4.5 in their order, as 40-agents.md §4 amends them. */
export function nextWait(state: WaitState, _view: WaitView, _now: number): WaitStep {
  return {state, emit: []}
}
