import type {LoadedVerb, Parameter} from '../registry/loaded-verb.ts'
import {cliWords} from '../registry/registry.ts'
import {table} from '../text/table.ts'
import {commonExits, exitMeaning} from './exit-meanings.ts'
import {globalFlags} from './global-flags.ts'

/** Help of one verb, as text: usage, arguments, flags, exit codes with their meanings, examples. */
export function verbHelp(verb: LoadedVerb): string {
  const {command, parameters} = verb
  const args = parameters.filter(({isArg}) => isArg)
  const flags = parameters.filter(({isArg}) => !isArg)
  const aliases = (command.aliases ?? []).map(alias => `termic ${alias}`)
  const exits = [...new Set([...commonExits, ...command.exits])].sort((a, b) => a - b)
  const sections: Array<[string, string[]]> = [
    ['usage', [verbUsage(verb), ...aliases]],
    ['arguments', rows(args.map(({name, summary}) => [name.toUpperCase(), summary]))],
    ['flags', rows(flags.map(flag => [flagSpelling(verb, flag), flag.summary]))],
    [
      'flags of every verb',
      rows(globalFlags.map(({flag, short, value, help}) => [spelling(flag, short, value), help])),
    ],
    ['exit codes', rows(exits.map(code => [String(code), exitMeaning(code)]))],
    ['examples', [...(command.examples ?? [])].map(String)],
  ]
  const shown = sections.filter(([, lines]) => lines.length > 0)
  return [
    command.summary ?? '',
    ...shown.map(([title, lines]) => `\n${title}:\n${lines.map(line => `  ${line}`).join('\n')}`),
  ].join('\n')
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

function flagSpelling(verb: LoadedVerb, {name, isBoolean}: Parameter): string {
  const {char, helpValue} = (verb.command.flags?.[name] ?? {}) as {char?: string; helpValue?: string}
  return spelling(`--${name}`, char ? `-${char}` : null, isBoolean ? null : (helpValue ?? 'VALUE'))
}

function spelling(flag: string, short: string | null, value: string | null): string {
  return `${short ? `${short}, ` : '    '}${flag}${value ? ` ${value}` : ''}`
}

function rows(cells: string[][]): string[] {
  const [first, ...rest] = cells
  return first ? table(first, rest).split('\n') : []
}
