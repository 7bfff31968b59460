import type {AgentState} from '../agent/types.ts'
import type {Delivery} from '../delivery/types.ts'
import type {PaneExit} from '../pane/types.ts'

/** What happened to a task, in order; every presentation shows these. `seq` rises for the life of the data directory. */
export type CoreEvent = {seq: number; at: number; taskId: string} & CoreEventBody
export type CoreEventType = CoreEvent['type']

export type CoreEventBody =
  | {type: 'task.created'; pane?: undefined; data: {name: string; project: string}}
  | {type: 'task.archived'; pane?: undefined; data: {name: string; project: string}}
  | {type: 'state'; pane: number; data: AgentState}
  | {type: 'delivery'; pane: number; data: Delivery}
  | {type: 'pane'; pane: number; data: PaneChange}

export type PaneChange =
  | {change: 'started'}
  | {change: 'exited'; exit: PaneExit}
  | {change: 'lost'}
  | {change: 'closed'}

/** An event before it has its number. */
export type NewCoreEvent = {at: number; taskId: string} & CoreEventBody

/** Said instead of events that are no longer kept: `from` and `to` are the first and the last `seq` of the gap. */
export interface EventsLost {
  type: 'lost'
  from: number
  to: number
}

export interface EventFilter {
  taskId?: string
  types?: readonly CoreEventType[]
}
