import {closeSync, constants, fstatSync, openSync, readSync} from 'node:fs'

const limitBytes = 8192

/**
 * The text of one of git's small files (`HEAD`, `gitdir`, `.git`), or undefined when there is none. An agent may have put
 * something else in its place, so a link is not followed, a pipe does not block and a huge file is not read.
 */
export function readSmallFile(path: string): string | undefined {
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
  try {
    if (!fstatSync(descriptor).isFile()) return undefined
    const buffer = Buffer.alloc(limitBytes)
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, limitBytes, 0))
  } finally {
    closeSync(descriptor)
  }
}

/** ELOOP: a symbolic link with O_NOFOLLOW; ENXIO: a socket. */
const absent = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'])
