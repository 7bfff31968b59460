import {closeSync, lstatSync, openSync, type Stats, truncateSync} from 'node:fs'
import {fail, TermicError} from '../errors.ts'
import {DatabaseSync, sqliteCode, sqliteCodeOf} from '../store/sqlite.ts'

/** Held until `release` or the end of the process, however that comes. */
export interface HeldLock {
  /**
   * False when somebody removed or replaced the file, so that another process may hold a lock of the same name: the
   * holder should then stop.
   */
  isIntact(): boolean
  release(): void
}

/** Also what keeps the connections from the garbage collector, which would close them and drop the locks. */
const held = new Map<string, DatabaseSync>()

/**
 * Takes the lock at `path`, or answers null when another process (or this one) holds it. The kernel decides at once:
 * an exclusive SQLite transaction is a POSIX lock on the file, which ends with its process and with nothing else,
 * so no pid, no age and no answer of the holder is looked at. Nothing is ever written to the file.
 *
 * The holder must not open that file in any other way: closing any descriptor of it drops the lock.
 */
export function takeLock(path: string): HeldLock | null {
  for (let attempt = 1; ; attempt++) {
    const {key, size} = existing(path)
    if (held.has(key)) return null
    // Whatever is in there is not ours. Emptied in place and not removed: two processes that both find garbage then
    // still lock the same file, and one that a holder already locked loses nothing, since it holds no content.
    if (size > 0) truncateSync(path)
    const database = new DatabaseSync(path)
    try {
      database.exec('BEGIN EXCLUSIVE')
    } catch (error) {
      database.close()
      const code = sqliteCodeOf(error)
      if (code === sqliteCode.busy) return null
      const isGarbage = code === sqliteCode.notADatabase || code === sqliteCode.corrupt
      if (isGarbage && attempt < 3) continue
      fail('data.unusable', {path, reason: (error as Error).message}, error)
    }
    held.set(key, database)
    return {
      isIntact: () => keyAt(path) === key,
      release() {
        held.delete(key)
        database.close()
      },
    }
  }
}

/** Makes the file, private, when it is missing. No process holds a lock on it through these descriptors. */
function existing(path: string): {key: string; size: number} {
  try {
    const before = lstatSync(path, {throwIfNoEntry: false})
    if (before && !before.isFile())
      fail('data.unusable', {path, reason: 'it is not a regular file; remove it'})
    if (!before) closeSync(openSync(path, 'a', 0o600))
    const stats = before ?? lstatSync(path)
    return {key: keyOf(stats), size: stats.size}
  } catch (error) {
    if (error instanceof TermicError) throw error
    return fail('data.unusable', {path, reason: (error as Error).message}, error)
  }
}

function keyAt(path: string): string | undefined {
  const stats = lstatSync(path, {throwIfNoEntry: false})
  return stats && keyOf(stats)
}

function keyOf(stats: Stats): string {
  return `${stats.dev}:${stats.ino}`
}
