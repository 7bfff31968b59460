import * as Parser from '@oclif/core/parser'
import {takeFreeText} from '../../core/argv/take-free-text.ts'
import {type Globals, type Spelling, takeGlobals} from '../../core/argv/take-globals.ts'
import {oclifReason, usageSentence} from '../../core/argv/usage-sentence.ts'
import {fail, TermicError} from '../../core/errors.ts'
import type {LoadedVerb, Parameter} from '../../core/registry/loaded-verb.ts'
import {checkInput, type Input} from '../../core/verb/check-input.ts'

export interface ParsedArgv extends Pick<Globals, 'format' | 'help'> {
  /** Absent when help is asked for: argv was not looked at any further. */
  input?: Input
  /** argv without free text, to run the call once more with. */
  withoutText: string[]
}

/** argv after the verb's words → checked input. Every failure is `usage.invalid` with one sentence. */
export async function parseArgv(verb: LoadedVerb, argv: readonly string[]): Promise<ParsedArgv> {
  try {
    return await parse(verb, argv)
  } catch (error) {
    if (!(error instanceof TermicError) || error.code !== 'usage.invalid') throw error
    return fail('usage.invalid', {reason: usageSentence(String(error.data.reason), verb.id)}, error)
  }
}

async function parse(verb: LoadedVerb, argv: readonly string[]): Promise<ParsedArgv> {
  const spellings = spellingsOf(verb)
  const {format, help} = takeGlobals(argv, spellings)
  if (help) return {format, help, withoutText: [...argv]}

  const {texts, rest: withoutText} = takeFreeText(argv, spellings)
  const {rest} = takeGlobals(withoutText, spellings)
  const input = {...(await parseRest(verb, rest)), ...Object.fromEntries(texts)}
  checkInput(verb, input, spell)
  return {format, help, input, withoutText}
}

/** How a person writes a parameter: `--timeout` or `TASK`. */
export function spell({isArg, name}: Parameter): string {
  return isArg ? name.toUpperCase() : `--${name}`
}

export function spellingsOf(verb: LoadedVerb): Spelling[] {
  const chars = new Map(
    Object.entries(verb.command.flags ?? {}).map(([name, flag]) => [name, (flag as {char?: string}).char]),
  )
  return verb.parameters
    .filter(parameter => !parameter.isArg)
    .map(({name, isBoolean, role}) => ({
      name,
      char: chars.get(name),
      takesValue: !isBoolean,
      freeText: role === 'freeText',
    }))
}

async function parseRest(verb: LoadedVerb, argv: string[]): Promise<Input> {
  const isFreeText = new Set(verb.parameters.filter(({role}) => role === 'freeText').map(({name}) => name))
  // Relations and what is missing are left to checkInput, which also knows the texts taken out before and JSON callers.
  const args = Object.entries(verb.command.args ?? {}).map(([name, arg]) => [name, {...arg, required: false}])
  const flags = Object.entries(verb.command.flags ?? {})
    .filter(([name]) => !isFreeText.has(name))
    .map(([name, flag]) => [
      name,
      {...flag, dependsOn: undefined, exclusive: undefined, exactlyOne: undefined},
    ])
  try {
    const parsed = await Parser.parse(argv, {
      args: Object.fromEntries(args),
      flags: Object.fromEntries(flags),
      strict: true,
    })
    return Object.fromEntries(
      Object.entries({...parsed.args, ...parsed.flags}).filter(([, value]) => value !== undefined),
    ) as Input
  } catch (error) {
    // oclif writes its own lines into the message of what a flag's parse threw.
    if (error instanceof TermicError) fail(error.code, error.data)
    return fail('usage.invalid', {reason: oclifReason(error as Error)}, error)
  }
}
