import {throwLater} from '../throw-later.ts'
import {rollBack} from './migrate.ts'
import type {DatabaseSync, StatementSync} from './sqlite.ts'
import {asStoreError, mayHaveRolledBack} from './store-error.ts'

/** Columns that are null are left out, so that an absent value is an absent property. */
export type SqlRow = Readonly<Record<string, string | number>>
/** Named parameters (`$name` in the SQL); undefined is NULL and a boolean is 0 or 1. */
export type SqlParams = Readonly<Record<string, string | number | boolean | null | undefined>>

/** The state file, open. Everything is synchronous, so that nothing can come between the steps of a transaction. */
export interface Store {
  readonly path: string
  /** Differs from before whenever something was written or undone meanwhile. */
  readonly version: number
  run(sql: string, params?: SqlParams): {changes: number; lastId: number}
  get(sql: string, params?: SqlParams): SqlRow | undefined
  all(sql: string, params?: SqlParams): readonly SqlRow[]
  /**
   * Runs `work` as one unit: all of it is on the disk when this returns, none of it when it throws. Inside another one
   * it is a part of that, which a failure undoes alone.
   */
  transaction<T>(work: () => T): T
  /** Runs `effect` once the running transaction is on the disk, at once when there is none, never when it is undone. */
  afterCommit(effect: () => void): void
  close(): void
}

/** More rows than this are not kept, nor are more answers. */
const kept = {rows: 50, answers: 500} as const

export class SqliteStore implements Store {
  readonly path: string
  readonly #database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  /** To SELECTs, good until something is written or undone: nobody else writes this file. */
  readonly #answers = new Map<string, readonly SqlRow[]>()
  #version = 0
  #effects: (() => void)[] = []
  #depth = 0
  /** What undid the running transaction: a caller that goes on all the same would write outside of any. */
  #undoneBy: {error: unknown} | undefined

  constructor(database: DatabaseSync, path: string) {
    this.#database = database
    this.path = path
  }

  get version(): number {
    return this.#version
  }

  run(sql: string, params: SqlParams = {}) {
    this.#forget()
    const {changes, lastInsertRowid} = this.#try(() => this.#statement(sql).run(bound(params)))
    return {changes: Number(changes), lastId: Number(lastInsertRowid)}
  }

  get(sql: string, params: SqlParams = {}): SqlRow | undefined {
    // Not `get`: that stops at the first row, and a statement with RETURNING then commits while it is being reset, where
    // Node overlooks that the disk was full.
    return this.all(sql, params)[0]
  }

  all(sql: string, params: SqlParams = {}): readonly SqlRow[] {
    const writes = !sql.startsWith('SELECT')
    if (writes) this.#forget()
    const question = `${sql}${JSON.stringify(params)}`
    const known = this.#answers.get(question)
    if (known && !this.#undoneBy) return known
    const rows = Object.freeze(this.#try(() => this.#statement(sql).all(bound(params))).map(present))
    if (!writes && rows.length <= kept.rows) {
      if (this.#answers.size >= kept.answers) this.#answers.clear()
      this.#answers.set(question, rows)
    }
    return rows
  }

  transaction<T>(work: () => T): T {
    const outer = this.#depth === 0
    const savepoint = `level_${this.#depth}`
    const effectsBefore = this.#effects.length
    this.#try(() => this.#database.exec(outer ? 'BEGIN IMMEDIATE' : `SAVEPOINT ${savepoint}`))
    this.#depth++
    try {
      const result = work()
      // It would go on after the commit, outside of any transaction.
      if (result instanceof Promise) throw new TypeError('a transaction must not be asynchronous')
      this.#try(() => this.#database.exec(outer ? 'COMMIT' : `RELEASE ${savepoint}`))
      this.#depth--
      if (outer) this.#runEffects()
      return result
    } catch (error) {
      this.#depth--
      this.#forget()
      this.#effects.length = effectsBefore
      if (outer) {
        this.#undoneBy = undefined
        rollBack(this.#database)
      } else if (!this.#undoneBy) this.#database.exec(`ROLLBACK TO ${savepoint}; RELEASE ${savepoint}`)
      throw error
    }
  }

  afterCommit(effect: () => void): void {
    if (this.#depth === 0) effect()
    else this.#effects.push(effect)
  }

  close(): void {
    this.#statements.clear()
    this.#database.close()
  }

  #forget(): void {
    this.#version++
    this.#answers.clear()
  }

  #statement(sql: string): StatementSync {
    const cached = this.#statements.get(sql)
    if (cached) return cached
    const statement = this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  #runEffects(): void {
    const effects = this.#effects
    this.#effects = []
    for (const effect of effects) {
      try {
        effect()
      } catch (error) {
        // The transaction holds.
        throwLater(error)
      }
    }
  }

  #try<T>(work: () => T): T {
    if (this.#undoneBy) throw this.#undoneBy.error
    try {
      return work()
    } catch (error) {
      const known = asStoreError(error, this.path)
      if (this.#depth > 0 && mayHaveRolledBack(error)) this.#undoneBy = {error: known}
      throw known
    }
  }
}

function bound(params: SqlParams): Record<string, string | number | null> {
  const values: Record<string, string | number | null> = {}
  for (const [name, value] of Object.entries(params)) {
    values[name] = typeof value === 'boolean' ? Number(value) : (value ?? null)
  }
  return values
}

function present(row: Record<string, unknown>): SqlRow {
  const values: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(row)) {
    if (value !== null) values[name] = value as string | number
  }
  return Object.freeze(values)
}
