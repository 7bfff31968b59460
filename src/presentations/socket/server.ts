import {chmodSync, lstatSync, rmSync} from 'node:fs'
import {createServer, type Server, type Socket} from 'node:net'
import {checkSocketPath} from '../../core/daemon/prepare-data-dir.ts'
import {fail} from '../../core/errors.ts'
import {serveExec} from '../cli/exec-session.ts'
import type {Service} from '../service.ts'
import {serveNdjson} from './ndjson-session.ts'

/** More are closed at once: a peer that opens connections and says nothing holds only its own slot. */
const maxConnections = 512

/** Bytes to say anything at all within; a silent peer is let go. */
const firstByteMs = 10_000

/** The daemon's one socket. Its first byte tells the framing: `{` is NDJSON, all else the thin client's. */
export class SocketServer {
  readonly #server: Server
  readonly #connections = new Set<Socket>()
  readonly #path: string

  private constructor(service: Service) {
    this.#path = service.paths.socket
    // A peer that closes its own way after the last request still gets the answer.
    this.#server = createServer({allowHalfOpen: true}, socket => this.#accept(service, socket))
    this.#server.maxConnections = maxConnections
  }

  /** Binds 0600, in place of whatever a dead daemon left. The caller holds the lock. */
  static async listen(service: Service): Promise<SocketServer> {
    const server = new SocketServer(service)
    checkSocketPath(server.#path)
    removeSocket(server.#path)
    const umask = process.umask(0o177)
    try {
      await new Promise<void>((resolve, reject) => {
        server.#server.once('error', reject)
        server.#server.listen({path: server.#path, backlog: 1024}, resolve)
      })
    } finally {
      process.umask(umask)
    }
    chmodSync(server.#path, 0o600)
    server.#server.on('error', error => service.log.error(`socket: ${error.message}`))
    return server
  }

  /** Takes no more connections; those that are open go on. */
  stopListening(): void {
    this.#server.close()
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#connections) socket.destroy()
  }

  #accept(service: Service, socket: Socket): void {
    this.#connections.add(socket)
    socket.on('close', () => this.#connections.delete(socket))
    socket.on('error', () => {
      // A peer that resets its own connection harms nobody else; 'close' follows.
    })
    const leave = () => void socket.destroy()
    socket.setTimeout(firstByteMs, leave)
    socket.once('end', leave)
    socket.once('data', first => {
      socket.setTimeout(0)
      socket.off('end', leave)
      if (first[0] === '{'.charCodeAt(0)) serveNdjson(service, socket, first)
      else serveExec(service, socket, first)
    })
  }
}

/** What a dead daemon left. Anything else there was put by somebody, who may want it back. */
function removeSocket(path: string): void {
  const stats = lstatSync(path, {throwIfNoEntry: false})
  if (stats && !stats.isSocket())
    fail('data.unusable', {path, reason: 'it is in the place of the socket; remove it'})
  rmSync(path, {force: true})
}
