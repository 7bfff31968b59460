import {asTermicError} from '../core/errors.ts'
import {writeAll} from './write.ts'

/** Says what went wrong before or beside the daemon, in the format that argv asks for; returns the exit code. */
export function report(thrown: unknown, argv: readonly string[]): number {
  const {code, message, data, exit} = asTermicError(thrown)
  const format = formatOf(argv)
  if (format === 'text') writeAll(2, Buffer.from(`termic: ${message}\n`))
  else {
    const error = {code, message, ...(Object.keys(data).length > 0 && {data})}
    writeAll(1, Buffer.from(`${JSON.stringify(format === 'json' ? {error} : {type: 'error', error})}\n`))
  }
  return exit
}

/** Read without knowing the verb; an unknown word is text. */
function formatOf(argv: readonly string[]): 'text' | 'json' | 'stream-json' {
  const end = argv.indexOf('--')
  const flags = end === -1 ? argv : argv.slice(0, end)
  const at = flags.indexOf('--output-format')
  const named = at === -1 ? flags.find(word => word.startsWith('--output-format='))?.slice(16) : flags[at + 1]
  if (flags.includes('--json') || named === 'json') return 'json'
  return named === 'stream-json' ? named : 'text'
}
