import {askedFormat} from '../core/argv/take-globals.ts'
import {asTermicError} from '../core/errors.ts'
import {writeAll} from './write.ts'

/**
 * Says what went wrong before or beside the daemon, in the format that argv asks for; returns the exit code. Who knows
 * the verb's flags gives the format, since a prompt may look like it.
 */
export function report(thrown: unknown, argv: readonly string[], format = askedFormat(argv)): number {
  const {code, message, data, exit} = asTermicError(thrown)
  if (format === 'text') writeAll(2, Buffer.from(`termic: ${message}\n`))
  else {
    const error = {code, message, ...(Object.keys(data).length > 0 && {data})}
    writeAll(1, Buffer.from(`${JSON.stringify(format === 'json' ? {error} : {type: 'error', error})}\n`))
  }
  return exit
}
