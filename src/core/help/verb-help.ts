import type {LoadedVerb, Parameter} from '../registry/loaded-verb.ts'
import {cliWords} from '../registry/registry.ts'
import {commonExits} from './exit-meanings.ts'
import {exitSection, flagSpelling, globalSection, helpText, rows} from './help-text.ts'

/** Help of one verb, as text: usage, arguments, flags, exit codes with their meanings, examples. */
export function verbHelp(verb: LoadedVerb): string {
  const {command, parameters} = verb
  const args = parameters.filter(({isArg}) => isArg)
  const flags = parameters.filter(({isArg}) => !isArg)
  const aliases = (command.aliases ?? []).map(alias => `termic ${alias}`)
  return helpText(command.summary ?? '', [
    ['usage', [verbUsage(verb), ...aliases]],
    ['arguments', rows(args.map(({name, summary}) => [name.toUpperCase(), summary]))],
    ['flags', rows(flags.map(flag => [spelled(verb, flag), flag.summary]))],
    globalSection(),
    exitSection([...new Set([...commonExits, ...command.exits])]),
    ['examples', [...(command.examples ?? [])].map(String)],
  ])
}

/** How a verb is written: `termic send [TASK] [flags]`. */
export function verbUsage({id, parameters}: LoadedVerb): string {
  const args = parameters.filter(({isArg}) => isArg).map(argUsage)
  return ['termic', cliWords(id), ...args, ...(args.length < parameters.length ? ['[flags]'] : [])].join(' ')
}

function argUsage({name, required, multiple}: Parameter): string {
  const shown = name.toUpperCase() + (multiple ? '…' : '')
  return required ? shown : `[${shown}]`
}

function spelled(verb: LoadedVerb, {name, isBoolean}: Parameter): string {
  const {char, helpValue} = (verb.command.flags?.[name] ?? {}) as {char?: string; helpValue?: string}
  return flagSpelling(`--${name}`, char && `-${char}`, isBoolean ? undefined : (helpValue ?? 'VALUE'))
}
