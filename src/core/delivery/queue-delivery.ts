import type {DeliveryRoute} from '../agent/types.ts'
import type {Delivery} from './types.ts'

/** A new prompt at the end of a pane's queue. `at` is epoch milliseconds. */
export function queueDelivery(prompt: {
  id: string
  taskId: string
  pane: number
  route: DeliveryRoute
  at: number
}): Delivery {
  const {id, taskId, pane, route, at} = prompt
  return {id, taskId, pane, state: 'queued', attempt: 1, confirmed: 'no', createdAt: at, route}
}
