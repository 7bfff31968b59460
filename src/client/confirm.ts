import {createReadStream, openSync} from 'node:fs'
import {createInterface} from 'node:readline'
import {isatty} from 'node:tty'
import {writeAll} from './write.ts'

/** Asks on the controlling terminal, never on stdin or stdout; `none` where there is no terminal. Only y and yes agree. */
export async function confirm(question: string): Promise<'yes' | 'no' | 'none'> {
  let terminal: number
  try {
    terminal = openSync('/dev/tty', 'r+')
  } catch {
    // ENXIO: no controlling terminal.
    return 'none'
  }
  if (!isatty(terminal)) return 'none'
  writeAll(terminal, Buffer.from(`${question} [y/N] `))
  const lines = createInterface({input: createReadStream('', {fd: terminal})})
  for await (const line of lines) return /^\s*y(es)?\s*$/i.test(line) ? 'yes' : 'no'
  return 'no'
}
