import {readFileSync} from 'node:fs'

/**
 * The token in a file. Empty when it can't be read: the daemon then refuses the call, in the format that was asked for,
 * naming the file.
 */
export function tokenOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
