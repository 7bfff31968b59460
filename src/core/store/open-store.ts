import {chmodSync, closeSync, openSync, statSync} from 'node:fs'
import {fail} from '../errors.ts'
import {migrate} from './migrate.ts'
import {type Migration, migrations} from './migrations.ts'
import {DatabaseSync} from './sqlite.ts'
import {SqliteStore, type Store} from './store.ts'
import {asStoreError} from './store-error.ts'

export interface StoreOptions {
  /** For tests. */
  migrations?: readonly Migration[]
}

/**
 * Opens the state file at `path`, makes it when there is none, and brings it to this version's format. A file that is
 * newer or damaged is refused as it is. Throws `data.newer`, `data.corrupt`, `data.full`, `data.read-only`,
 * `data.unusable`.
 */
export function openStore(path: string, options: StoreOptions = {}): Store {
  let database: DatabaseSync | undefined
  try {
    makePrivateFile(path)
    database = new DatabaseSync(path)
    // Only a reader of another program (a backup) could make us wait: the daemon is the one writer.
    database.exec('PRAGMA busy_timeout = 2000')
    const wanted = options.migrations ?? migrations
    checkFormat(database, path, wanted)
    // FULL: a prompt or a task that was acknowledged is on the disk when the power goes.
    // The size limit gives back what a stretch of large prompts added to the write-ahead log.
    database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA journal_size_limit = 16777216;
    `)
    migrate(database, wanted)
    return new SqliteStore(database, path)
  } catch (error) {
    database?.close()
    throw asStoreError(error, path)
  }
}

/** The log and index files beside it get the same mode from SQLite. */
function makePrivateFile(path: string): void {
  const stats = statSync(path, {throwIfNoEntry: false})
  if (!stats) closeSync(openSync(path, 'a', 0o600))
  else if (!stats.isFile()) fail('data.unusable', {path, reason: 'it is not a regular file'})
  else if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o600)
}

function checkFormat(database: DatabaseSync, path: string, wanted: readonly Migration[]): void {
  const found = formatOf(database)
  const known = wanted.at(-1)?.version ?? 0
  if (found > known) fail('data.newer', {path, found, known})
  const isForeign = found === 0 && database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined
  if (isForeign) fail('data.corrupt', {path, reason: 'it is a database of another program'})
}

function formatOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version)
}
