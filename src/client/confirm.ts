import {openSync} from 'node:fs'
import {createInterface} from 'node:readline'
import {isatty, ReadStream} from 'node:tty'
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
  // A stream of a file would read ahead in a thread, and the process could not exit before the next line came.
  const input = new ReadStream(openSync('/dev/tty', 'r'))
  try {
    for await (const line of createInterface({input})) return /^\s*y(es)?\s*$/i.test(line) ? 'yes' : 'no'
    // The end of input leaves the cursor behind the question.
    writeAll(terminal, Buffer.from('\n'))
    return 'no'
  } finally {
    input.destroy()
  }
}
