import type {Tab} from '../task/types.ts'
import type {SqlRow, Store} from './store.ts'

export type NewTab = Tab & {createdAt: number}

const select = 'SELECT id, task_id AS taskId, title, is_default AS isDefault FROM tabs'

/** Adds a tab after the task's others. */
export function insertTab(store: Store, {id, taskId, title, isDefault, createdAt}: NewTab): Tab {
  store.run(
    `INSERT INTO tabs (id, task_id, title, position, is_default, created_at)
     SELECT $id, $taskId, $title, coalesce(max(position), 0) + 1, $isDefault, $createdAt FROM tabs WHERE task_id = $taskId`,
    {id, taskId, title, isDefault, createdAt},
  )
  return {id, taskId, title, isDefault}
}

/** Closed ones too. */
export function tabById(store: Store, id: string): Tab | undefined {
  const row = store.get(`${select} WHERE id = $id`, {id})
  return row && asTab(row)
}

/** The open tabs of a task, in their order. */
export function tabsOfTask(store: Store, taskId: string): Tab[] {
  return store
    .all(`${select} WHERE task_id = $taskId AND closed_at IS NULL ORDER BY position`, {taskId})
    .map(asTab)
}

export function defaultTab(store: Store, taskId: string): Tab | undefined {
  const row = store.get(`${select} WHERE task_id = $taskId AND is_default = 1 AND closed_at IS NULL`, {
    taskId,
  })
  return row && asTab(row)
}

export function renameTab(store: Store, id: string, title: string): boolean {
  return store.run('UPDATE tabs SET title = $title WHERE id = $id', {id, title}).changes > 0
}

export function closeTab(store: Store, id: string, closedAt: number): boolean {
  return (
    store.run('UPDATE tabs SET closed_at = $closedAt WHERE id = $id AND closed_at IS NULL', {id, closedAt})
      .changes > 0
  )
}

function asTab(row: SqlRow): Tab {
  return {...row, isDefault: row.isDefault === 1} as unknown as Tab
}
