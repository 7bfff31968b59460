import type {AgentState} from '../agent/types.ts'
import type {Delivery} from '../delivery/types.ts'
import {endOfAgent, endOfQueue, endOfTask, endOfView, firstSight} from './end-of-agent.ts'
import {endOfDelivery, isTaken, isUnproven} from './end-of-delivery.ts'
import type {WaitEnding, WaitEvent, WaitView} from './types.ts'
import {
  type HoldName,
  holdLimitsMs,
  type WaitLook,
  type WaitOptions,
  type WaitState,
  type WaitStep,
} from './wait-state.ts'

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

/**
 * One look at the view: the ten rules of termic.md §4.5 in their order, as 40-agents.md §4 amends them. Looking again
 * at the same view changes nothing but what time decides.
 */
export function nextWait(before: WaitState, view: WaitView, now: number): WaitStep {
  if (before.deadline !== undefined && now >= before.deadline) {
    return {state: before, emit: [], result: {outcome: 'timeout', ...nameOf(view.state)}}
  }
  const state = track(before, view, now)
  const look: WaitLook = {state, view, held: name => isHeld(state, name, now)}
  const result = firstEnding(look)
  const emit = eventsBetween(before, state, view)
  // Rule 5 looks once, and an empty view is no look.
  const after = {...state, looked: state.looked || view.task === 'live'}
  if (result !== undefined) return {state: after, emit, result}
  const wakeAt = nextWake(look, now)
  return {state: after, emit, ...(wakeAt === undefined ? {} : {wakeAt})}
}

function firstEnding(look: WaitLook): WaitEnding | undefined {
  return (
    endOfDelivery(look) ?? //  2, and 8 for a delivery of one's own
    endOfTask(look) ?? //  4
    firstSight(look) ?? //  5
    endOfAgent(look) ?? //  3 and 4
    endOfQueue(look) ?? //  7, 8 and 9
    endOfView(look) // 10
  )
}

/** Rule 6, and since when each condition holds without a break. */
function track(before: WaitState, view: WaitView, now: number): WaitState {
  // A view without the task tells nothing of the rest, so nothing of the rest starts or stops.
  if (view.task === 'absent')
    return {...before, since: {...before.since, taskAbsent: before.since.taskAbsent ?? now}}
  const delivered = before.delivered || (view.delivery !== undefined && isTaken(view.delivery))
  const isOwn = before.options.deliveryId === undefined || delivered
  const holds = holdsOf(before.options, view, delivered)
  const since: Partial<Record<HoldName, number>> = {}
  for (const name of holds) since[name] = before.since[name] ?? now
  return {
    ...before,
    since,
    delivered,
    seenAgent: before.seenAgent || view.state !== undefined,
    // Work on the former turn proves nothing of the prompt that waits behind it.
    seenWorking: before.seenWorking || (isOwn && view.state?.name === 'working'),
    ...(view.state === undefined ? {} : {shown: shownOf(view.state)}),
  }
}

function holdsOf(options: WaitOptions, view: WaitView, delivered: boolean): HoldName[] {
  const {state, delivery} = view
  const holds: HoldName[] = []
  if (state === undefined && view.gone === undefined) holds.push('agentAbsent')
  if (state?.name === 'unknown') holds.push('stateUnknown')
  if (state?.name === 'waiting' && isBlocked(options, view)) holds.push('queueBlocked')
  if (options.deliveryId === undefined) return holds
  if (delivery === undefined) holds.push('deliveryAbsent')
  if (delivered) holds.push('unproven')
  if (delivery !== undefined && isUnheard(delivery, state)) holds.push('unconfirmed')
  return holds
}

/** Prompts wait for the agent while it waits for a person. */
function isBlocked(options: WaitOptions, view: WaitView): boolean {
  if (options.deliveryId !== undefined) return view.delivery === undefined || !isTaken(view.delivery)
  return (view.undelivered ?? view.queued) > 0
}

/** With exact signals the delivery table has its own clock, which stands still while a person's command runs. */
function isUnheard(delivery: Delivery, state: AgentState | undefined): boolean {
  return delivery.state === 'written' && state?.confidence === 'heuristic' && state.name !== 'working'
}

function isHeld(state: WaitState, name: HoldName, now: number): boolean {
  const since = state.since[name]
  return since !== undefined && now - since > holdLimitsMs[name]
}

/** The first moment at which a hold that still counts has lasted long enough, or the deadline. */
function nextWake(look: WaitLook, now: number): number | undefined {
  const {state, view} = look
  const names: HoldName[] = view.task === 'absent' ? ['taskAbsent'] : (Object.keys(state.since) as HoldName[])
  const times = names
    .filter(name => name !== 'unproven' || isUnproven(look))
    .map(name => (state.since[name] ?? now) + holdLimitsMs[name] + 1)
    .filter(time => time > now)
  if (state.deadline !== undefined) times.push(state.deadline)
  return times.length === 0 ? undefined : Math.min(...times)
}

function eventsBetween(before: WaitState, state: WaitState, view: WaitView): WaitEvent[] {
  const events: WaitEvent[] = []
  if (!before.delivered && state.delivered && view.delivery !== undefined) {
    events.push({type: 'delivered', deliveryId: view.delivery.id})
  }
  const {shown} = before
  if (view.task !== 'absent' && view.state !== undefined) {
    const isNew = shown?.name !== view.state.name || shown.waitingFor !== view.state.waitingFor
    if (isNew) events.push({type: 'state', state: view.state})
  }
  return events
}

function shownOf({name, waitingFor}: AgentState): WaitState['shown'] {
  return waitingFor === undefined ? {name} : {name, waitingFor}
}

function nameOf(state: AgentState | undefined) {
  return state === undefined ? {} : {state: state.name}
}
