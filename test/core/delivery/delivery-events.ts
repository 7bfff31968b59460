import type {AgentSignal} from '../../../src/core/agent/types.ts'
import {type DeliveryEvent, nextDelivery} from '../../../src/core/delivery/next-delivery.ts'
import {queueDelivery} from '../../../src/core/delivery/queue-delivery.ts'
import type {Delivery} from '../../../src/core/delivery/types.ts'

type Words = AgentSignal extends infer S
  ? S extends AgentSignal
    ? Omit<S, 'at' | 'offset' | 'evidence' | 'confidence'>
    : never
  : never

/** A signal at `at`; its offset follows the time, as the output of a real agent does. */
export function signal(
  at: number,
  words: Words,
  confidence: AgentSignal['confidence'] = 'exact',
): AgentSignal {
  const evidence = {source: 'osc', at, detail: words.type} as const
  return {...words, at, offset: at, evidence, confidence} as AgentSignal
}

export const queued = (route: Delivery['route'] = 'inbox') =>
  queueDelivery({id: 'd1', taskId: 't1', pane: 7, route: route ?? 'inbox', at: 0})

export const begun: DeliveryEvent = {type: 'write-begun'}
export const written = (at: number, attempt = 1): DeliveryEvent => ({
  type: 'written',
  at,
  offset: at,
  inputId: `d1.${attempt}`,
})
export const submitted = (at: number, confidence: AgentSignal['confidence'] = 'exact') =>
  signal(at, {type: 'submitted', deliveryId: 'd1'}, confidence)
export const started = (at: number) => signal(at, {type: 'started'})
export const ended = (at: number, exitCode = 0) => signal(at, {type: 'ended', exitCode})
export const ready = (at: number) => signal(at, {type: 'ready'})
export const draft = (at: number) => signal(at, {type: 'draft', deliveryId: 'd1'})
export const rejected = (at: number, deliveryId?: string) =>
  signal(at, {
    type: 'rejected',
    reason: 'syntax error near `)`',
    exitCode: 2,
    ...(deliveryId ? {deliveryId} : {}),
  })
export const unfinished = (at: number) => signal(at, {type: 'unfinished'})
export const exited = (at: number, code = 0) => signal(at, {type: 'exited', code})
export const asking = (at: number) => signal(at, {type: 'asking', for: 'trust'})
export const tick = (now: number): DeliveryEvent => ({type: 'tick', now})

/** The fold over `events`, with the effects of all of them. */
export function run(events: readonly DeliveryEvent[], from: Delivery = queued()) {
  let delivery = from
  const effects = []
  for (const event of events) {
    const step = nextDelivery(delivery, event)
    delivery = step.delivery
    effects.push(...step.effects)
  }
  return {delivery, effects, inputs: effects.map(({inputId}) => inputId)}
}
