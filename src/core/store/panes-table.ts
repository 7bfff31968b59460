import type {AgentState} from '../agent/types.ts'
import type {PaneExit} from '../pane/types.ts'
import type {PaneKind} from '../task/types.ts'
import type {SqlParams, SqlRow, Store} from './store.ts'
import {updateRow} from './update-row.ts'

/** A pane as it is stored; what a caller sees of it is `Pane`. */
export interface PaneRow {
  /** Never used twice. */
  id: number
  taskId: string
  tabId: string
  kind: PaneKind
  agent?: string
  argv: string[]
  cwd: string
  /** Secret of its marks; enters no answer. */
  nonce?: string
  startedBy: string
  createdAt: number
  state: AgentState
  /** The last entry of its journal that `state` and `readerState` contain; 0: none. */
  journalSeq: number
  /** Whatever the kind's reader folds, plain JSON. */
  readerState?: unknown
  exited?: PaneExit
  /** When its host was found dead. */
  lostAt?: number
  closedAt?: number
}

export type NewPane = Omit<PaneRow, 'id' | 'journalSeq' | 'readerState' | 'exited' | 'lostAt' | 'closedAt'>
export type PanePatch = Partial<
  Pick<PaneRow, 'argv' | 'nonce' | 'state' | 'journalSeq' | 'readerState' | 'exited' | 'lostAt' | 'closedAt'>
>

const select = `SELECT id, task_id AS taskId, tab_id AS tabId, kind, agent, argv, cwd, nonce, started_by AS startedBy,
    created_at AS createdAt, state, journal_seq AS journalSeq, reader_state AS readerState, exited, lost_at AS lostAt,
    closed_at AS closedAt
  FROM panes`
const jsonProperties = ['argv', 'state', 'readerState', 'exited'] as const

export function insertPane(store: Store, pane: NewPane): PaneRow {
  const {taskId, tabId, kind, agent, cwd, nonce, startedBy, createdAt} = pane
  const {lastId} = store.run(
    `INSERT INTO panes (task_id, tab_id, kind, agent, argv, cwd, nonce, started_by, created_at, state)
     VALUES ($taskId, $tabId, $kind, $agent, $argv, $cwd, $nonce, $startedBy, $createdAt, $state)`,
    {
      taskId,
      tabId,
      kind,
      agent,
      cwd,
      nonce,
      startedBy,
      createdAt,
      ...asJson({argv: pane.argv, state: pane.state}),
    },
  )
  return paneById(store, lastId) as PaneRow
}

export function paneById(store: Store, id: number): PaneRow | undefined {
  const row = store.get(`${select} WHERE id = $id`, {id})
  return row && asPane(row)
}

/** Those that were not closed, in the order they were made. */
export function panesOfTask(store: Store, taskId: string): PaneRow[] {
  return many(store, 'task_id = $taskId AND closed_at IS NULL', {taskId})
}

export function panesOfTab(store: Store, tabId: string): PaneRow[] {
  return many(store, 'tab_id = $tabId AND closed_at IS NULL', {tabId})
}

/** Those whose program ran when last heard of: what a new daemon adopts or declares lost. */
export function runningPanes(store: Store): PaneRow[] {
  return many(store, 'exited IS NULL AND lost_at IS NULL')
}

export function updatePane(store: Store, id: number, patch: PanePatch): boolean {
  const names = {
    argv: 'argv',
    nonce: 'nonce',
    state: 'state',
    journalSeq: 'journal_seq',
    readerState: 'reader_state',
    exited: 'exited',
    lostAt: 'lost_at',
    closedAt: 'closed_at',
  }
  return updateRow(store, 'panes', names, id, asJson(patch))
}

function many(store: Store, condition: string, params: SqlParams = {}): PaneRow[] {
  return store.all(`${select} WHERE ${condition} ORDER BY id`, params).map(asPane)
}

function asJson(patch: PanePatch): SqlParams {
  const params: Record<string, unknown> = {...patch}
  for (const name of jsonProperties) {
    if (params[name] !== undefined) params[name] = JSON.stringify(params[name])
  }
  return params as SqlParams
}

function asPane(row: SqlRow): PaneRow {
  const pane: Record<string, unknown> = {...row}
  for (const name of jsonProperties) {
    if (name in row) pane[name] = JSON.parse(row[name] as string)
  }
  return pane as unknown as PaneRow
}
