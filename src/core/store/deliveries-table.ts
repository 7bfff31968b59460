import type {Delivery} from '../delivery/types.ts'
import type {SqlParams, SqlRow, Store} from './store.ts'
import {updateRow} from './update-row.ts'

/** A delivery with its prompt, which may be large and is read only where it is sent. */
export type DeliveryRow = Delivery & {text: string; createdBy: string}
export type NewDelivery = Pick<DeliveryRow, 'id' | 'taskId' | 'pane' | 'text' | 'createdBy' | 'createdAt'> &
  Partial<DeliveryRow>
export type DeliveryPatch = Partial<Omit<Delivery, 'id' | 'taskId' | 'createdAt' | 'route'>>

const columns = `id, task_id AS taskId, pane_id AS pane, state, attempt, reason, detail, exit_code AS exitCode, confirmed,
  created_at AS createdAt, written_at AS writtenAt, submitted_at AS submittedAt, started_at AS startedAt, settled_at AS settledAt,
  route, progress`
const isOpen = `state NOT IN ('settled', 'failed')`

/** Puts a prompt at the end of its pane's queue. */
export function insertDelivery(store: Store, delivery: NewDelivery): Delivery {
  const {
    id,
    taskId,
    pane,
    text,
    createdBy,
    createdAt,
    state = 'queued',
    attempt = 1,
    confirmed = 'no',
    route = 'inbox',
  } = delivery
  const {reason, detail, exitCode, progress, writtenAt, submittedAt, startedAt, settledAt} = delivery
  const row = store.get(
    `INSERT INTO deliveries (id, task_id, pane_id, text, state, attempt, reason, detail, exit_code, confirmed, created_by,
       created_at, written_at, submitted_at, started_at, settled_at, route, progress)
     VALUES ($id, $taskId, $pane, $text, $state, $attempt, $reason, $detail, $exitCode, $confirmed, $createdBy,
       $createdAt, $writtenAt, $submittedAt, $startedAt, $settledAt, $route, $progress)
     RETURNING ${columns}`,
    {
      ...{id, taskId, pane, text, state, attempt, reason, detail, exitCode, confirmed, createdBy},
      ...{createdAt, writtenAt, submittedAt, startedAt, settledAt},
      ...{route, progress: progress && JSON.stringify(progress)},
    },
  )
  return asDelivery(row as SqlRow)
}

export function deliveryById(store: Store, id: string): DeliveryRow | undefined {
  const row = store.get(`SELECT ${columns}, text, created_by AS createdBy FROM deliveries WHERE id = $id`, {
    id,
  })
  return row && (asDelivery(row) as DeliveryRow)
}

/** The queue of a pane: neither settled nor failed, oldest first. */
export function openDeliveriesOfPane(store: Store, pane: number): Delivery[] {
  return many(store, `pane_id = $pane AND ${isOpen} ORDER BY seq`, {pane})
}

export function openDeliveriesOfTask(store: Store, taskId: string): Delivery[] {
  return many(store, `task_id = $taskId AND ${isOpen} ORDER BY seq`, {taskId})
}

/** What a new daemon takes up. */
export function allOpenDeliveries(store: Store): Delivery[] {
  return many(store, `${isOpen} ORDER BY pane_id, seq`)
}

/** The newest deliveries of a task, newest first. */
export function deliveriesOfTask(store: Store, taskId: string, limit: number): Delivery[] {
  return many(store, 'task_id = $taskId ORDER BY seq DESC LIMIT $limit', {taskId, limit})
}

/** The newest delivery that was ever queued for a pane. */
export function lastDeliveryOfPane(store: Store, pane: number): Delivery | undefined {
  return many(store, 'pane_id = $pane ORDER BY seq DESC LIMIT 1', {pane})[0]
}

/** Writes all that the delivery table may have changed; what the delivery has no more becomes NULL. */
export function saveDelivery(store: Store, delivery: Delivery): boolean {
  const {state, attempt, reason, detail, exitCode, confirmed, progress} = delivery
  const {writtenAt, submittedAt, startedAt, settledAt} = delivery
  return updateDelivery(store, delivery.id, {
    ...{state, attempt, reason, detail, exitCode, confirmed, progress},
    ...{writtenAt, submittedAt, startedAt, settledAt},
  })
}

export function updateDelivery(store: Store, id: string, patch: DeliveryPatch): boolean {
  const names = {
    pane: 'pane_id',
    state: 'state',
    attempt: 'attempt',
    reason: 'reason',
    detail: 'detail',
    exitCode: 'exit_code',
    confirmed: 'confirmed',
    writtenAt: 'written_at',
    submittedAt: 'submitted_at',
    startedAt: 'started_at',
    settledAt: 'settled_at',
    progress: 'progress',
  }
  const {progress, ...plain} = patch
  const stored = 'progress' in patch ? {progress: progress && JSON.stringify(progress)} : {}
  return updateRow(store, 'deliveries', names, id, {...plain, ...stored} as SqlParams)
}

function many(store: Store, condition: string, params: SqlParams = {}): Delivery[] {
  return store.all(`SELECT ${columns} FROM deliveries WHERE ${condition}`, params).map(asDelivery)
}

function asDelivery(row: SqlRow): Delivery {
  const {progress, ...rest} = row
  return {
    ...rest,
    ...(progress !== undefined && {progress: JSON.parse(progress as string)}),
  } as unknown as Delivery
}
