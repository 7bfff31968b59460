import type {AgentState, AgentStateName} from '../../../src/core/agent/types.ts'
import type {Delivery, DeliveryStateName} from '../../../src/core/delivery/types.ts'
import {nextWait, startWait} from '../../../src/core/wait/next-wait.ts'
import type {WaitEnding, WaitEvent, WaitView} from '../../../src/core/wait/types.ts'
import type {WaitOptions} from '../../../src/core/wait/wait-state.ts'

export function agent(name: AgentStateName, more: Partial<AgentState> = {}): AgentState {
  return {name, since: 0, confidence: 'exact', evidence: {source: 'osc', at: 0, detail: ''}, ...more}
}

export const guess = (name: AgentStateName) => agent(name, {confidence: 'heuristic'})

export function view(state?: AgentState, more: Partial<WaitView> = {}): WaitView {
  return {task: 'live', queued: 0, capable: true, ...(state ? {state} : {}), ...more}
}

/** A view with a followed delivery, which is in the queue's count while it is open. */
export function following(
  state: AgentState | undefined,
  name: DeliveryStateName,
  more: Partial<Delivery> = {},
): WaitView {
  const isTaken = name === 'submitted' || name === 'started' || name === 'settled'
  const delivery: Delivery = {
    id: 'd1',
    taskId: 't1',
    pane: 7,
    state: name,
    attempt: 1,
    confirmed: isTaken ? 'exact' : 'no',
    createdAt: 0,
    ...(isTaken ? {submittedAt: 5} : {}),
    ...more,
  }
  return view(state, {delivery, queued: name === 'settled' || name === 'failed' ? 0 : 1})
}

/** Looks at each view at its time (monotonic milliseconds) until the wait ends. */
export function watch(
  options: Partial<WaitOptions>,
  looks: readonly (readonly [now: number, view: WaitView])[],
) {
  let state = startWait({verb: 'wait', task: 'web/fix', agent: 'shell', ...options}, 0)
  const events: WaitEvent[] = []
  let wakeAt: number | undefined
  let result: WaitEnding | undefined
  let endedAt: number | undefined
  for (const [now, seen] of looks) {
    const step = nextWait(state, seen, now)
    ;({state, wakeAt, result} = step)
    events.push(...step.emit)
    if (result === undefined) continue
    endedAt = now
    break
  }
  const failure = result && 'failure' in result ? result.failure.code : undefined
  const outcome = result && 'outcome' in result ? result.outcome : undefined
  return {result, failure, outcome, endedAt, events, wakeAt, state}
}

export const send = {verb: 'send', deliveryId: 'd1'} as const
export const fresh = {verb: 'new', deliveryId: 'd1'} as const
