/**
 * `termic/verb`: the whole contract of a verb. Bundled and third-party plugins alike import this and nothing else of
 * termic; plain oclif flags work beside the factories.
 */

export * as z from 'zod'
export {type ErrorCode, fail} from './core/errors.ts'
export {
  choice,
  duration,
  freeText,
  integer,
  path,
  projectArg,
  projectFlag,
  tabSelector,
  taskArg,
  tasksArg,
  text,
  textArg,
  toggle,
} from './core/flags.ts'
export {table} from './core/text/table.ts'
export type {Caller, Question, VerbEvent} from './core/verb/caller.ts'
export {
  type Annotations,
  type Context,
  type Handover,
  Verb,
  type VerbInput,
  type View,
} from './core/verb/verb.ts'
