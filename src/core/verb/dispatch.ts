import {isAbsolute, resolve} from 'node:path'
import type {Core} from '../core.ts'
import {fail, TermicError} from '../errors.ts'
import type {LoadedVerb} from '../registry/loaded-verb.ts'
import type {Caller} from './caller.ts'
import type {Input} from './check-input.ts'
import {resolveTargets} from './resolve-targets.ts'
import type {Context} from './verb.ts'

export interface Call {
  verb: LoadedVerb
  /** Checked by `checkInput`. */
  input: Input
  caller: Caller
  core: Core
  signal: AbortSignal
  emit: Context['emit']
  confirm: Context['confirm']
}

export interface Answer {
  result: object
  /** Process exit code of this result. */
  exit: number
  /** The input as the handler saw it, targets resolved. */
  input: Input
}

/**
 * The one way to a handler, for every presentation: scope, targets resolved and authorised, handle, result validated,
 * exit. Throws expected failures as TermicError.
 */
export async function dispatch(call: Call): Promise<Answer> {
  const {verb, caller, signal, emit, confirm} = call
  const {command} = verb
  if (command.scope === 'full' && caller.grant.scope !== 'full') fail('auth.scope', {verb: verb.id})

  const core = call.core.narrowedTo(caller.grant)
  const input = resolveTargets(verb, withPaths(call), caller, core)
  const result = await command.handle({caller, core, signal, emit, confirm}, input)
  // What watched until the daemon had to go (a stream) has seen no end of it.
  if (command.annotations.readOnlyHint && signal.reason instanceof TermicError) throw signal.reason
  return {result: validResult(verb, result), exit: command.exit(result), input}
}

function withPaths({verb, input, caller}: Call): Input {
  const paths = verb.parameters.filter(({role, name}) => role === 'path' && typeof input[name] === 'string')
  const absolute = paths.map(({name, key}): [string, string] => {
    const value = input[name] as string
    if (caller.shell) return [name, resolve(caller.shell.cwd, value)]
    if (!isAbsolute(value))
      fail('usage.invalid', {reason: `"${key}" must be an absolute path, since this caller has no directory`})
    return [name, value]
  })
  return {...input, ...Object.fromEntries(absolute)}
}

function validResult(verb: LoadedVerb, result: unknown): object {
  const parsed = verb.command.result.safeParse(result)
  // What the schema does not name stays inside (bookkeeping of a row, say).
  if (parsed.success) return parsed.data as object
  const issue = parsed.error.issues[0]
  throw new Error(
    `${verb.id} answered with something its result schema does not know: ${issue?.path.join('.')} ${issue?.message}`,
  )
}
