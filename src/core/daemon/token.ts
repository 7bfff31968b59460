import {randomBytes, timingSafeEqual} from 'node:crypto'
import {closeSync, fchmodSync, openSync, readFileSync, renameSync, rmSync, writeSync} from 'node:fs'
import {fail} from '../errors.ts'

const shape = /^[0-9a-f]{64}$/

/**
 * Makes a new token of 256 bits, in hexadecimal, and puts it at `path`, 0600, in place of whatever was there. It appears
 * under that name whole: a client that reads meanwhile sees the former one or this one. A link that was planted there is
 * replaced and never followed. Throws `data.full`, `data.unusable`.
 */
export function mintToken(path: string): string {
  const token = randomBytes(32).toString('hex')
  put(path, token)
  return token
}

/**
 * Puts the daemon's token back where somebody removed it, since without the file nobody could even stop this daemon. One
 * that is there is left alone.
 */
export function keepToken(path: string, token: string): void {
  try {
    if (readToken(path) === undefined) put(path, token)
  } catch {
    // A full disk, a directory in its place: the caller is refused with the file's name in any case.
  }
}

function put(path: string, token: string): void {
  const fresh = `${path}.new`
  try {
    rmSync(fresh, {force: true})
    // Exclusive: what someone puts there in between is neither followed nor written to.
    const file = openSync(fresh, 'wx', 0o600)
    try {
      fchmodSync(file, 0o600)
      writeSync(file, token)
    } finally {
      closeSync(file)
    }
    renameSync(fresh, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') fail('data.full', {path}, error)
    fail('data.unusable', {path, reason: (error as Error).message}, error)
  }
}

/** The token at `path`; undefined when there is none or not a whole one. */
export function readToken(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    return shape.test(text) ? text : undefined
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    return fail('data.unusable', {path, reason: (error as Error).message}, error)
  }
}

/** Compares in a time that does not tell where two tokens differ. How long one is, is no secret. */
export function sameToken(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right) && shape.test(expected)
}
