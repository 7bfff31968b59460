import {type ErrorCode, errorTable} from './error-table.ts'

export {type ErrorCode, errorTable} from './error-table.ts'
export type ErrorData = Record<string, unknown>

/** An expected failure: a code of the table, the data that its sentence names, and the cause when there is one. */
export class TermicError extends Error {
  override readonly name = 'TermicError'
  readonly code: ErrorCode
  readonly data: ErrorData

  constructor(code: ErrorCode, data: ErrorData = {}, cause?: unknown) {
    super(sentenceOf(code, data), cause === undefined ? undefined : {cause})
    this.code = code
    this.data = data
  }

  get exit(): number {
    return errorTable[this.code].exit
  }
}

/** Throws the expected failure `code`; its sentence is filled from `data`. */
export function fail(code: ErrorCode, data: ErrorData = {}, cause?: unknown): never {
  throw new TermicError(code, data, cause)
}

/** The user's sentence for a code. An absent value leaves nothing behind, so optional parts carry their own space. */
export function sentenceOf(code: ErrorCode, data: ErrorData = {}): string {
  return errorTable[code].sentence.replace(/\{(\w+)\}/g, (_, key: string) => String(data[key] ?? ''))
}

/** Any thrown value as an expected failure; what was not expected becomes `internal` and keeps its cause. */
export function asTermicError(thrown: unknown, log = 'daemon.log'): TermicError {
  if (thrown instanceof TermicError) return thrown
  const code = (thrown as NodeJS.ErrnoException | undefined)?.code
  const path = (thrown as NodeJS.ErrnoException | undefined)?.path ?? 'the data directory'
  if (code === 'ENOSPC' || code === 'EDQUOT') return new TermicError('data.full', {path}, thrown)
  if (code === 'EROFS')
    return new TermicError('data.read-only', {path, reason: 'read-only file system'}, thrown)
  const reason = thrown instanceof Error ? thrown.message.split('\n')[0] : String(thrown)
  return new TermicError('internal', {reason, log}, thrown)
}
