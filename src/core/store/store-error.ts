import {accessSync, constants, statfsSync} from 'node:fs'
import {dirname} from 'node:path'
import {type ErrorCode, type ErrorData, TermicError} from '../errors.ts'
import {sqliteCode, sqliteCodeOf} from './sqlite.ts'

/** Below this SQLite can't grow its index of the write-ahead log (32 KiB) and reports an I/O error instead of "full". */
const nearlyFullBytes = 64 * 1024

/** What the store or a file operation threw, as the user's sentence; what is no failure of the disk or file stays. */
export function asStoreError(error: unknown, path: string): unknown {
  if (error instanceof TermicError) return error
  const reason = (error as Error).message
  switch (sqliteCodeOf(error) ?? (error as NodeJS.ErrnoException).code) {
    case sqliteCode.full:
    case 'ENOSPC':
    case 'EDQUOT':
      return refuse('data.full', {path}, error)
    case sqliteCode.readOnly:
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return refuse('data.read-only', {path, reason}, error)
    case sqliteCode.corrupt:
    case sqliteCode.notADatabase:
      return refuse('data.corrupt', {path, reason}, error)
    case sqliteCode.busy:
      return refuse('data.unusable', {path, reason: 'another program keeps it locked'}, error)
    case sqliteCode.ioError:
    case sqliteCode.cantOpen:
      if (isNearlyFull(path)) return refuse('data.full', {path}, error)
      return refuse(isWritable(path) ? 'data.unusable' : 'data.read-only', {path, reason}, error)
    default:
      return error
  }
}

function refuse(code: ErrorCode, data: ErrorData, cause?: unknown): TermicError {
  return new TermicError(code, data, cause)
}

/**
 * True for errors after which SQLite may have undone the whole transaction by itself
 * (https://www.sqlite.org/lang_transaction.html, "Response To Errors Within A Transaction").
 */
export function mayHaveRolledBack(error: unknown): boolean {
  const code = sqliteCodeOf(error)
  return code !== undefined && automaticRollback.has(code)
}

const automaticRollback = new Set<number>([
  sqliteCode.full,
  sqliteCode.ioError,
  sqliteCode.noMemory,
  sqliteCode.busy,
  sqliteCode.interrupt,
])

/** True when a row of this key exists already (SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY). */
export function isUniqueViolation(error: unknown): boolean {
  const {errcode} = error as {errcode?: number}
  return errcode === 2067 || errcode === 1555
}

function isNearlyFull(path: string): boolean {
  try {
    const {bavail, bsize} = statfsSync(dirname(path))
    return bavail * bsize < nearlyFullBytes
  } catch {
    // Unknown is not full.
    return false
  }
}

/** SQLite makes two files beside the state file. */
function isWritable(path: string): boolean {
  try {
    accessSync(dirname(path), constants.W_OK)
    return true
  } catch {
    return false
  }
}
