import {connect as netConnect, type Socket} from 'node:net'

/** Connects to the daemon's socket, or null when nobody listens there. Throws when the socket can't be used at all. */
export function connect(path: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = netConnect(path)
    socket.once('connect', () => {
      socket.removeAllListeners('error')
      resolve(socket)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (
        error.code === 'ENOENT' ||
        error.code === 'ECONNREFUSED' ||
        error.code === 'ENOTSOCK' ||
        error.code === 'ENOTDIR'
      )
        resolve(null)
      else
        reject(
          new Error(
            `the daemon's socket ${path} cannot be used (${error.code ?? error.message}); check its permissions`,
          ),
        )
    })
  })
}
