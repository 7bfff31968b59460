import {writeSync} from 'node:fs'

/**
 * Writes every byte to a descriptor, in order. A reader that went away ends the process as SIGPIPE would (141), since
 * Node ignores that signal. A full non-blocking pipe is waited for without spinning.
 */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at)
    } catch (error) {
      const {code} = error as NodeJS.ErrnoException
      if (code === 'EPIPE') process.exit(141)
      if (code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}
