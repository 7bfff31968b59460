import {fail} from '../../core/errors.ts'

export const outputFormats = ['text', 'json', 'stream-json'] as const
export type OutputFormat = (typeof outputFormats)[number]

/** What one argv asks for beside its verb's own words. */
export interface Globals {
  format: OutputFormat
  help: boolean
  rest: string[]
}

/**
 * Takes the global flags out of argv, up to `--`. `valueFlags` are the verb's flags that take a value, whose values are
 * left alone whatever they look like. Throws `usage.invalid`.
 */
export function takeGlobals(argv: readonly string[], valueFlags: ReadonlySet<string> = new Set()): Globals {
  const rest: string[] = []
  const formats: string[] = []
  let help = false
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string
    if (word === '--') {
      rest.push(...argv.slice(i))
      break
    }
    if (word === '--json') formats.push('json')
    else if (word === '--output-format') formats.push(argv[++i] ?? '')
    else if (word.startsWith('--output-format=')) formats.push(word.slice('--output-format='.length))
    else if (word === '--help' || word === '-h') help = true
    else if (word !== '--no-launch') {
      rest.push(word)
      if (valueFlags.has(word) && i + 1 < argv.length) rest.push(argv[++i] as string)
    }
  }
  const [format = 'text', ...more] = [...new Set(formats)]
  if (more.length > 0) fail('usage.invalid', {reason: '--json and --output-format exclude each other'})
  if (!outputFormats.includes(format as OutputFormat)) {
    fail('usage.invalid', {reason: `--output-format takes ${outputFormats.join(', ')}, not "${format}"`})
  }
  return {format: format as OutputFormat, help, rest}
}
