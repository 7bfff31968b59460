import type {AgentState} from '../agent/types.ts'
import type {ErrorCode, ErrorData} from '../errors.ts'
import {isTaken, notDelivered} from './end-of-delivery.ts'
import type {WaitEnding, WaitView} from './types.ts'
import type {WaitLook} from './wait-state.ts'

/** Rule 4 for the task: said to be archived ends at once, merely not seen ends after 15 s without a break. */
export function endOfTask(look: WaitLook): WaitEnding | undefined {
  const {task} = look.state.options
  if (look.view.task === 'archived') {
    return undelivered(look, 'archived') ?? failure('task.archived', {name: task})
  }
  return look.held('taskAbsent') && look.view.task === 'absent'
    ? failure('task.not-found', {name: task})
    : undefined
}

/** Rule 5: what `wait` is told when it first sees the task; and an agent without a settle signal, whenever it shows up. */
export function firstSight({state, view}: WaitLook): WaitEnding | undefined {
  const {verb, task, agent} = state.options
  if (view.task !== 'live') return undefined
  const isAlive = view.state !== undefined && goneHow(view) === undefined
  if (verb === 'wait' && !state.looked && !isAlive) return failure('agent.none', {task})
  return isAlive && !view.capable ? failure('agent.no-signal', {agent}) : undefined
}

/** Rules 3 and 4 for the agent: it never came up, or it went away. Neither is ever `done`. */
export function endOfAgent(look: WaitLook): WaitEnding | undefined {
  const {state, view} = look
  const {task} = state.options
  if (view.task !== 'live') return undefined
  const how = goneHow(view)
  if (how !== undefined) return undelivered(look, 'agent-exited', how) ?? failure('agent.gone', {task, how})
  if (!look.held('agentAbsent')) return undefined
  return state.seenAgent
    ? failure('agent.gone', {task, how: 'nothing was seen of it for 15 s'})
    : failure('internal', {
        reason: `the agent of task ${task} did not show up within 15 s`,
        log: 'daemon.log',
      })
}

/**
 * Rules 7 to 9. A followed delivery that the agent has not finished is decided by its row alone, except that an agent
 * which asks a person cannot go on.
 */
export function endOfQueue(look: WaitLook): WaitEnding | undefined {
  const {options, since} = look.state
  const {view} = look
  const agent = view.state
  if (view.task !== 'live' || agent === undefined) return undefined
  if (agent.name === 'waiting') {
    // A settled delivery only waits for proof here (rule 8), and the question may be the former turn's.
    if (view.delivery?.state === 'settled') return undefined
    const isBlocked = since.queueBlocked !== undefined
    if (isBlocked && !look.held('queueBlocked')) return undefined
    return {outcome: 'needs_input', state: 'waiting', detail: askedFor(agent, isBlocked)}
  }
  if (options.deliveryId !== undefined) return undefined
  const isSettled = (agent.name === 'done' || agent.name === 'idle') && view.queued === 0
  return isSettled ? {outcome: 'done', state: agent.name} : undefined
}

/** Rule 10: nobody knows the state any more. An agent that is idle for long is not one of those. */
export function endOfView(look: WaitLook): WaitEnding | undefined {
  if (look.view.task !== 'live' || !look.held('stateUnknown')) return undefined
  const reason = `the state of the agent of task ${look.state.options.task} was unknown for 120 s`
  return failure('internal', {reason, log: 'daemon.log'})
}

/** The prompt itself is the news when it had not reached an agent that is gone now. */
function undelivered(
  look: WaitLook,
  reason: 'archived' | 'agent-exited',
  how?: string,
): WaitEnding | undefined {
  const {delivery} = look.view
  if (delivery === undefined || isTaken(delivery)) return undefined
  const {detail: _, ...rest} = delivery
  return notDelivered(look, {...rest, reason, ...(how === undefined ? {} : {detail: how})})
}

function goneHow(view: WaitView): string | undefined {
  const {state} = view
  if (state?.name === 'exited') {
    return view.gone ?? (state.exitCode === undefined ? 'it exited' : `exit code ${state.exitCode}`)
  }
  if (state?.name === 'lost') return view.gone ?? 'its pane was lost'
  return state === undefined ? view.gone : undefined
}

const askedForWords: Record<NonNullable<AgentState['waitingFor']>, string> = {
  question: 'it asks a question',
  approval: 'it asks for an approval',
  trust: 'it asks whether to trust the directory',
  login: 'it asks for a login',
  limit: 'it has reached a usage limit',
}

function askedFor(agent: AgentState, isBlocked: boolean): string {
  const words = agent.waitingFor === undefined ? 'it waits for a person' : askedForWords[agent.waitingFor]
  return isBlocked ? `${words}; the prompt stays queued` : words
}

function failure(code: ErrorCode, data: ErrorData): WaitEnding {
  return {failure: {code, data}}
}
