import type {Migration} from './migrations.ts'
import type {DatabaseSync} from './sqlite.ts'

/** Applies what is missing, each in a transaction of its own: a step that fails leaves the format of the step before. */
export function migrate(database: DatabaseSync, migrations: readonly Migration[]): void {
  const current = Number(database.prepare('PRAGMA user_version').get()?.user_version)
  for (const {version, sql} of migrations) {
    if (version <= current) continue
    database.exec('BEGIN IMMEDIATE')
    try {
      database.exec(sql)
      // A part of the transaction like any row: the number lives in the file's first page.
      database.exec(`PRAGMA user_version = ${version}`)
      database.exec('COMMIT')
    } catch (error) {
      rollBack(database)
      throw error
    }
  }
}

/** SQLite has rolled back by itself after some errors (a full disk), and then says that there is nothing to undo. */
export function rollBack(database: DatabaseSync): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // Either way no transaction is open now, and the first error is the one to tell.
  }
}
