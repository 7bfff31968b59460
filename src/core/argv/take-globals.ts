import {fail} from '../errors.ts'

export const outputFormats = ['text', 'json', 'stream-json'] as const
export type OutputFormat = (typeof outputFormats)[number]

/** A flag as argv spells it. */
export interface Spelling {
  name: string
  char?: string
  takesValue: boolean
  freeText: boolean
}

/** What one argv asks for beside its verb's own words. */
export interface Globals {
  format: OutputFormat
  help: boolean
  noLaunch: boolean
  rest: string[]
}

/**
 * Takes the global flags out of argv, up to `--`. The values of `flags` are left alone whatever they look like, but for
 * one: `--help` never acts anywhere, so only free text may be that. Throws `usage.invalid`, unless help is asked for.
 */
export function takeGlobals(argv: readonly string[], flags: readonly Spelling[] = []): Globals {
  const {formats, ...taken} = look(argv, flags)
  return {format: taken.help ? formatOr('text', formats) : checkedFormat(formats), ...taken}
}

/** The format to tell a failure in; text when what argv says of it is wrong in itself. */
export function askedFormat(argv: readonly string[], flags: readonly Spelling[] = []): OutputFormat {
  return askedOf(argv, flags).format
}

/** What `takeGlobals` finds, of an argv that may be wrong in itself. */
export function askedOf(argv: readonly string[], flags: readonly Spelling[]): Globals {
  const {formats, ...taken} = look(argv, flags)
  return {format: formatOr('text', formats), ...taken}
}

function checkedFormat(formats: readonly string[]): OutputFormat {
  const [format = 'text', ...more] = [...new Set(formats)]
  if (more.length > 0) fail('usage.invalid', {reason: '--json and --output-format exclude each other'})
  if (!outputFormats.includes(format as OutputFormat)) {
    const given = format === '' ? 'and nothing was given' : `not "${format}"`
    fail('usage.invalid', {reason: `--output-format takes ${outputFormats.join(', ')}, ${given}`})
  }
  return format as OutputFormat
}

function formatOr(otherwise: OutputFormat, formats: readonly string[]): OutputFormat {
  try {
    return checkedFormat(formats)
  } catch {
    return otherwise
  }
}

/** A first look at an argv whose verb is not known yet, where a prompt may still look like a wrong flag. */
export function lookAtArgv(argv: readonly string[]): Pick<Globals, 'help' | 'rest'> {
  const {help, rest} = look(argv, [])
  return {help, rest}
}

function look(
  argv: readonly string[],
  flags: readonly Spelling[],
): Omit<Globals, 'format'> & {formats: string[]} {
  const rest: string[] = []
  const formats: string[] = []
  let help = false
  let noLaunch = false
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string
    if (word === '--') {
      rest.push(...argv.slice(i))
      break
    }
    if (word === '--json') formats.push('json')
    else if (word === '--output-format') formats.push(argv[++i] ?? '')
    else if (word.startsWith('--output-format=')) formats.push(word.slice('--output-format='.length))
    else if (isHelp(word)) help = true
    else if (word === '--no-launch') noLaunch = true
    else {
      rest.push(word)
      const next = argv[i + 1]
      const flag = flags.find(flag => flag.takesValue && isSpelled(word, flag))
      if (flag && next !== undefined && (flag.freeText || !isHelp(next))) rest.push(argv[++i] as string)
    }
  }
  return {formats, help, noLaunch, rest}
}

/** True for `--name` and `-c` standing alone, the value in the next word. */
export function isSpelled(word: string, {name, char}: Spelling): boolean {
  return word === `--${name}` || (char !== undefined && word === `-${char}`)
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h'
}
