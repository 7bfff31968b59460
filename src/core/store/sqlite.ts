import type * as sqliteModule from 'node:sqlite'

/**
 * `node:sqlite`, loaded without the ExperimentalWarning that Node 22 prints on stderr. A static import would be
 * resolved (and would warn) before any line of ours ran, so this module is the only one that names it, and only the
 * one warning of this one load is held back.
 */
export const {DatabaseSync} = loadQuietly()
export type DatabaseSync = sqliteModule.DatabaseSync
export type StatementSync = sqliteModule.StatementSync

function loadQuietly(): typeof sqliteModule {
  const {emitWarning} = process
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite')) return
    ;(emitWarning as (...all: unknown[]) => void).call(process, warning, ...rest)
  }) as typeof emitWarning
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html); extended ones carry them in the low byte. */
export const sqliteCode = {
  busy: 5,
  noMemory: 7,
  readOnly: 8,
  interrupt: 9,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  notADatabase: 26,
} as const

/** The primary result code of an error of node:sqlite; undefined for any other error. */
export function sqliteCodeOf(error: unknown): number | undefined {
  const {code, errcode} = error as {code?: string; errcode?: number}
  return code === 'ERR_SQLITE_ERROR' && errcode !== undefined ? errcode & 0xff : undefined
}
