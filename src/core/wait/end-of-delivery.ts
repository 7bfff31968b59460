import {describeFailure} from '../delivery/describe-delivery.ts'
import type {Delivery} from '../delivery/types.ts'
import type {WaitEnding, WaitResult} from './types.ts'
import type {WaitLook} from './wait-state.ts'

/** Whether the agent has, or had, the prompt. */
export function isTaken(delivery: Delivery): boolean {
  return delivery.submittedAt !== undefined || ['submitted', 'started', 'settled'].includes(delivery.state)
}

/**
 * Rules 2 and 8 for a wait that follows its own delivery: its row decides, not the state that the pane shows, which may
 * still be the former turn's.
 *
 * A rejected prompt (it does not parse) was delivered and its turn is over, just as a command that exits with 127: the
 * outcome is `done`, with the exit code and the reason. `not_delivered` would ask for the same prompt once more.
 */
export function endOfDelivery(look: WaitLook): WaitEnding | undefined {
  const {state, view} = look
  const {deliveryId} = state.options
  if (deliveryId === undefined || view.task === 'absent') return undefined
  const {delivery} = view
  // Rule 7: a row that is gone for good was never delivered, as far as anybody can tell.
  if (delivery === undefined) {
    return look.held('deliveryAbsent') && view.state?.name !== 'working'
      ? {outcome: 'not_delivered', detail: 'its row is gone from the queue; send it again', ...stateOf(look)}
      : undefined
  }
  if (delivery.state === 'failed') return endOfFailed(look, delivery)
  if (look.held('unconfirmed')) return notDelivered(look, {...delivery, reason: 'not-confirmed'})
  if (delivery.state !== 'settled' || isUnproven(look)) return undefined
  if (isHeuristic(look) && view.state?.name === 'waiting') return {outcome: 'needs_input', ...stateOf(look)}
  return doneWith(look, delivery)
}

/** Rule 8: settled by heuristics alone, and nothing yet shows that the agent worked on this very prompt. */
export function isUnproven(look: WaitLook): boolean {
  const {state, view} = look
  const {delivery} = view
  if (delivery?.state !== 'settled' || !isHeuristic(look)) return false
  if (view.state?.name === 'working') return true
  if (delivery.startedAt !== undefined || state.seenWorking) return false
  // An agent that was just started shows no former turn.
  const isTrusted =
    state.options.verb === 'new' && (view.state?.name === 'done' || view.state?.name === 'waiting')
  return !isTrusted && !look.held('unproven')
}

/** What a delivery that never reached the agent leaves behind. */
export function notDelivered(look: WaitLook, delivery: Delivery): WaitResult {
  const reason = delivery.reason ?? 'not-confirmed'
  return {outcome: 'not_delivered', detail: describeFailure(reason, delivery), reason, ...stateOf(look)}
}

function endOfFailed(look: WaitLook, delivery: Delivery): WaitEnding {
  const {options} = look.state
  if (delivery.reason === 'rejected') {
    return {...doneWith(look, delivery), detail: describeFailure('rejected', delivery), reason: 'rejected'}
  }
  if (delivery.submittedAt !== undefined && delivery.reason === 'archived') {
    return {failure: {code: 'task.archived', data: {name: options.task}}}
  }
  if (delivery.submittedAt !== undefined && delivery.reason === 'pane-lost') {
    return {failure: {code: 'agent.gone', data: {task: options.task, how: 'its pane was lost'}}}
  }
  return notDelivered(look, delivery)
}

function doneWith(look: WaitLook, delivery: Delivery): WaitResult {
  return {
    outcome: 'done',
    ...stateOf(look),
    ...(delivery.detail === undefined ? {} : {detail: delivery.detail}),
    ...(delivery.exitCode === undefined ? {} : {exitCode: delivery.exitCode}),
  }
}

function isHeuristic({view}: WaitLook): boolean {
  return view.delivery?.confirmed !== 'exact' || view.state?.confidence === 'heuristic'
}

function stateOf({view}: WaitLook): Pick<WaitResult, 'state'> {
  return view.state === undefined ? {} : {state: view.state.name}
}
