import type {Delivery, DeliveryFailure} from './types.ts'

/** As the table has it or as a result shows it. */
type Shown = Omit<Delivery, 'pane' | 'reason'> & {reason?: string}

/** What a person reads of a delivery: a lower case sentence, what happened first and the next step last. */
export function describeDelivery(delivery: Shown): string {
  switch (delivery.state) {
    case 'queued':
      return describeQueued(delivery)
    case 'written':
      return 'written; the agent has not confirmed it yet'
    case 'submitted':
      return delivery.confirmed === 'no'
        ? 'typed into the terminal; this agent gives no sign that it was taken, so look with `termic log`'
        : `the agent has the prompt${byEcho(delivery)}`
    case 'started':
      return 'the agent works on it'
    case 'settled':
      return describeSettled(delivery)
    case 'failed':
      return describeFailure((delivery.reason ?? 'not-confirmed') as DeliveryFailure, delivery)
  }
}

/** Why it failed. All but a rejected prompt, and one whose pane or task ended in mid-turn, never reached the agent. */
export function describeFailure(
  reason: DeliveryFailure,
  delivery: Pick<Delivery, 'detail' | 'submittedAt'> = {},
): string {
  const how = delivery.detail === undefined ? '' : ` (${delivery.detail})`
  const taken = delivery.submittedAt !== undefined
  switch (reason) {
    case 'agent-exited':
      return `the agent ended before it took the prompt${how}; \`termic send --fresh --again\` sends it to a new one`
    case 'archived':
      return taken
        ? 'the task was archived while the agent worked on it; `termic restore` brings the task back'
        : 'the task was archived before the agent took the prompt; `termic restore` brings the task back'
    case 'not-confirmed':
      return taken
        ? `not confirmed in time${how}; look with \`termic log\` before you send it again`
        : `the agent never took the prompt${how}; look with \`termic log\` and send it again`
    case 'rejected':
      return `the agent refused the prompt${how}; correct it and send it again`
    case 'pane-lost':
      return taken
        ? 'the pane was lost while the agent worked on it; `termic log` shows what it did'
        : 'the pane was lost before the agent took the prompt; `termic send --fresh --again` sends it to a new one'
    case 'cancelled':
      return `cancelled before the agent took it${how}; \`termic send --again\` sends it after all`
  }
}

function describeQueued(delivery: Shown): string {
  if (delivery.progress?.writing) {
    return delivery.attempt === 1 ? 'on its way to the agent' : `on its way, attempt ${delivery.attempt}`
  }
  if (delivery.progress?.held) {
    return 'queued, since a person is typing at the prompt; it goes when that line was sent'
  }
  return 'queued; it goes when the agent is at its prompt'
}

function describeSettled(delivery: Shown): string {
  const code = delivery.exitCode === undefined ? '' : ` with exit code ${delivery.exitCode}`
  const how = delivery.detail === undefined ? '' : `; ${delivery.detail}`
  return `finished${code}${how}${byEcho(delivery)}`
}

function byEcho(delivery: Shown): string {
  return delivery.confirmed === 'echo' ? ' (seen on the screen alone)' : ''
}
