import type {CoreEvent, EventFilter, NewCoreEvent} from '../events/types.ts'
import type {SqlRow, Store} from './store.ts'

export function insertEvent(store: Store, event: NewCoreEvent): CoreEvent {
  const {at, type, taskId, pane, data} = event
  const {lastId} = store.run(
    'INSERT INTO events (at, type, task_id, pane_id, data) VALUES ($at, $type, $taskId, $pane, $data)',
    {at, type, taskId, pane, data: JSON.stringify(data)},
  )
  return {...event, seq: lastId}
}

/** The events after `seq` that pass the filter, oldest first, at most `limit`. */
export function eventsAfter(store: Store, seq: number, limit: number, filter: EventFilter = {}): CoreEvent[] {
  const {taskId, types} = filter
  const rows = store.all(
    `SELECT seq, at, type, task_id AS taskId, pane_id AS pane, data FROM events
     WHERE seq > $seq AND ($taskId IS NULL OR task_id = $taskId)
       AND ($types IS NULL OR type IN (SELECT value FROM json_each($types)))
     ORDER BY seq LIMIT $limit`,
    {seq, limit, taskId, types: types && JSON.stringify(types)},
  )
  return rows.map(asEvent)
}

/** The first event of a delivery that is kept, its being queued; undefined when it is forgotten. */
export function firstEventOfDelivery(store: Store, taskId: string, deliveryId: string): number | undefined {
  const row = store.get(
    `SELECT min(seq) AS seq FROM events
     WHERE type = 'delivery' AND task_id = $taskId AND json_extract(data, '$.id') = $deliveryId`,
    {taskId, deliveryId},
  )
  return row?.seq === undefined ? undefined : Number(row.seq)
}

/** `first` is the oldest that is kept; `last` the newest that ever was. Both 0 before the first event. */
export function eventRange(store: Store): {first: number; last: number} {
  // Two queries in one: SQLite answers either end from the key, but both of one SELECT by reading the whole table.
  const row = store.get(
    'SELECT (SELECT min(seq) FROM events) AS first, (SELECT max(seq) FROM events) AS last',
  )
  return {first: Number(row?.first ?? 0), last: Number(row?.last ?? 0)}
}

/** Forgets all but the newest `keep` events. */
export function pruneEvents(store: Store, keep: number): number {
  return store.run('DELETE FROM events WHERE seq <= (SELECT max(seq) FROM events) - $keep', {keep}).changes
}

function asEvent(row: SqlRow): CoreEvent {
  return {...row, data: JSON.parse(row.data as string)} as unknown as CoreEvent
}
