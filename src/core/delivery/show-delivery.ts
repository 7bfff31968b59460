import type {DeliveryResult} from '../results.ts'
import {paneName} from '../text/pane-name.ts'
import type {Delivery} from './types.ts'

/** A delivery as callers see it, without its bookkeeping. */
export function showDelivery({progress: _, route: __, pane, ...rest}: Delivery): DeliveryResult {
  return {...rest, pane: paneName(pane)}
}
