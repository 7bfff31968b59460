import {connect as netConnect, type Socket} from 'node:net'
import {isSocketPathTooLong} from '../core/daemon/data-dir.ts'
import {silenceMs} from '../core/wire/exec-frames.ts'

/** Nobody listens there: no file, one that a dead daemon left, or one that is no socket. */
const nobody = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ENOTDIR'])

/**
 * Connects to the daemon's socket, or null when nobody listens there. Throws `socket.path-too-long` and `socket.refused`
 * when the socket can't be used at all, `daemon.lost` when the daemon takes no more callers for as long as a silent one
 * is waited for.
 */
export async function connect(path: string): Promise<Socket | null> {
  // Node would connect to a silently shortened name, which may be somebody else's.
  if (isSocketPathTooLong(path)) {
    const {checkSocketPath} = await import('../core/daemon/prepare-data-dir.ts')
    checkSocketPath(path)
  }
  let giveUpAt: number | undefined
  for (;;) {
    const reached = await tryOnce(path)
    if (typeof reached !== 'string') return reached
    const {fail} = await import('../core/errors.ts')
    // EAGAIN: the queue of callers is full, since the daemon is stopped or very busy.
    if (reached !== 'EAGAIN') fail('socket.refused', {path, reason: reasons[reached] ?? reached})
    // Node makes `performance` when it is first looked at, for a millisecond that other calls need not pay.
    giveUpAt ??= performance.now() + silenceMs
    if (performance.now() > giveUpAt) fail('daemon.lost')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

const reasons: Record<string, string> = {EACCES: 'permission denied', EPERM: 'permission denied'}

function tryOnce(path: string): Promise<Socket | null | string> {
  return new Promise(resolve => {
    const socket = netConnect(path)
    socket.once('connect', () => {
      socket.removeAllListeners('error')
      resolve(socket)
    })
    socket.once('error', ({code = 'unknown'}: NodeJS.ErrnoException) =>
      resolve(nobody.has(code) ? null : code),
    )
  })
}
