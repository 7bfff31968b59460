import {accessSync, chmodSync, constants, mkdirSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {fail, TermicError} from '../errors.ts'
import {type DataDir, isSocketPathTooLong, nowhere, socketPathLimitBytes} from './data-dir.ts'

/**
 * Makes the data directory and what must be in it before anything else, private to this user. Throws `data.unusable`
 * when that can't be had.
 */
export function prepareDataDir(paths: DataDir): void {
  if (paths.root === nowhere) {
    fail('data.unusable', {
      path: 'the data directory of this user',
      reason: 'HOME is not set; set HOME or TERMIC_DATA_DIR',
    })
  }
  // Each pane has a socket in a directory of its own; five digits last for a long time.
  checkSocketPath(join(paths.panes, '99999', 'host.sock'))
  for (const path of [paths.root, paths.panes]) makePrivate(path)
}

/** Throws `socket.path-too-long` before Node binds or connects to a silently shortened path. */
export function checkSocketPath(path: string): void {
  if (!isSocketPathTooLong(path)) return
  fail('socket.path-too-long', {path, length: Buffer.byteLength(path), limit: socketPathLimitBytes})
}

function makePrivate(path: string): void {
  try {
    mkdirSync(path, {recursive: true, mode: 0o700})
    const {uid, mode} = statSync(path)
    const me = process.getuid?.()
    // Root could write there, but would leave files that the owner can't open any more.
    if (me !== undefined && uid !== me) {
      fail('data.unusable', {path, reason: `it belongs to another user (uid ${uid}, this is uid ${me})`})
    }
    if ((mode & 0o077) !== 0) chmodSync(path, 0o700)
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if (error instanceof TermicError) throw error
    const {code = '', message} = error as NodeJS.ErrnoException
    fail('data.unusable', {path, reason: reasons[code] ?? message}, error)
  }
}

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EEXIST: 'it is not a directory',
  ENOTDIR: 'a part of the path is not a directory',
  ENOSPC: 'the disk is full',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
}
