import {showDelivery} from '../delivery/show-delivery.ts'
import type {AgentStateResult, DeliveryResult} from '../results.ts'
import {paneName} from '../text/pane-name.ts'
import type {CoreEvent, PaneChange} from './types.ts'

/** An event as callers see it: panes by their names, without bookkeeping. */
export type ShownEvent = {seq: number; at: number; taskId: string} & (
  | {type: 'task.created' | 'task.archived'; data: {name: string; project: string}}
  | {type: 'state'; pane: string; data: AgentStateResult}
  | {type: 'delivery'; pane: string; data: DeliveryResult}
  | {type: 'pane'; pane: string; data: PaneChange}
)

export function showEvent({seq, at, taskId, ...event}: CoreEvent): ShownEvent {
  const base = {seq, at, taskId}
  if (event.type === 'delivery') {
    return {...base, type: event.type, pane: paneName(event.pane), data: showDelivery(event.data)}
  }
  if (event.type === 'state') {
    const {delivered: _, ...state} = event.data
    return {...base, type: event.type, pane: paneName(event.pane), data: state}
  }
  if (event.type === 'pane') return {...base, type: event.type, pane: paneName(event.pane), data: event.data}
  return {...base, type: event.type, data: event.data}
}
