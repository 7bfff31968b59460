import type {SqlParams, Store} from './store.ts'

/**
 * Writes the properties of `patch` that are present into the row `id` of `table`; `columns` names the column of each
 * property that may change. A property that is there and undefined becomes NULL. True when the row exists.
 */
export function updateRow<Patch extends SqlParams>(
  store: Store,
  table: string,
  columns: Readonly<Record<keyof Patch & string, string>>,
  id: string | number,
  patch: Patch,
): boolean {
  const names = Object.keys(patch) as (keyof Patch & string)[]
  if (names.length === 0)
    return store.get(`SELECT 1 AS found FROM ${table} WHERE id = $id`, {id}) !== undefined
  const assignments = names.map(name => `${columns[name]} = $${name}`).join(', ')
  return store.run(`UPDATE ${table} SET ${assignments} WHERE id = $id`, {...patch, id}).changes > 0
}
