import type {SqlParams, SqlRow, Store} from './store.ts'
import {updateRow} from './update-row.ts'

/** One command line that ran in a pane. Offsets are positions in the pane's log. */
export interface CommandRow {
  id: number
  pane: number
  deliveryId?: string
  command: string
  cwd?: string
  /** Absent while it runs, and when nothing told. */
  exitCode?: number
  startedAt: number
  endedAt?: number
  startOffset: number
  endOffset?: number
}

export type NewCommand = Omit<CommandRow, 'id'>
export type CommandEnd = {exitCode?: number; endedAt: number; endOffset: number}

const columns = `id, pane_id AS pane, delivery_id AS deliveryId, command, cwd, exit_code AS exitCode,
  started_at AS startedAt, ended_at AS endedAt, start_offset AS startOffset, end_offset AS endOffset`

export function insertCommand(store: Store, command: NewCommand): CommandRow {
  const {pane, deliveryId, cwd, exitCode, startedAt, endedAt, startOffset, endOffset} = command
  const row = store.get(
    `INSERT INTO commands (pane_id, delivery_id, command, cwd, exit_code, started_at, ended_at, start_offset, end_offset)
     VALUES ($pane, $deliveryId, $command, $cwd, $exitCode, $startedAt, $endedAt, $startOffset, $endOffset)
     RETURNING ${columns}`,
    {pane, deliveryId, command: command.command, cwd, exitCode, startedAt, endedAt, startOffset, endOffset},
  )
  return asCommand(row as SqlRow)
}

export function endCommand(store: Store, id: number, end: CommandEnd): boolean {
  return updateRow(
    store,
    'commands',
    {exitCode: 'exit_code', endedAt: 'ended_at', endOffset: 'end_offset'},
    id,
    end,
  )
}

export function commandById(store: Store, id: number): CommandRow | undefined {
  return many(store, 'id = $id', {id})[0]
}

/** The newest command of a pane, running or not. */
export function lastCommandOfPane(store: Store, pane: number): CommandRow | undefined {
  return many(store, 'pane_id = $pane ORDER BY id DESC LIMIT 1', {pane})[0]
}

/** The commands of a pane, newest first. */
export function commandsOfPane(store: Store, pane: number, limit: number): CommandRow[] {
  return many(store, 'pane_id = $pane ORDER BY id DESC LIMIT $limit', {pane, limit})
}

/** The commands that a prompt ran, in their order. */
export function commandsOfDelivery(store: Store, deliveryId: string): CommandRow[] {
  return many(store, 'delivery_id = $deliveryId ORDER BY id', {deliveryId})
}

function many(store: Store, condition: string, params: SqlParams): CommandRow[] {
  return store.all(`SELECT ${columns} FROM commands WHERE ${condition}`, params).map(asCommand)
}

function asCommand(row: SqlRow): CommandRow {
  return row as unknown as CommandRow
}
