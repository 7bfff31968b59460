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
  readonly #service: Service
  readonly #connections = new Set<Socket>()
  readonly #path: string
  #server: Server | undefined
  /** The file that was bound. */
  #inode: number | undefined

  private constructor(service: Service) {
    this.#service = service
    this.#path = service.paths.socket
  }

  /** Binds 0600, in place of whatever a dead daemon left. The caller holds the lock. */
  static async listen(service: Service): Promise<SocketServer> {
    const server = new SocketServer(service)
    checkSocketPath(server.#path)
    await server.#bind()
    return server
  }

  /**
   * Binds anew when the socket's file was removed or replaced (a cleaner of temporary files, a daemon that was here
   * before): nobody would find this daemon any more, and nobody could start another. Connections go on.
   */
  async keep(): Promise<void> {
    if (this.#isBound()) return
    // It removes what bears the name at once, and waits for no connection.
    this.#server?.close()
    await this.#bind()
    this.#service.log.warn(`the socket ${this.#path} was gone and is there again`)
  }

  /** Takes no more connections; those that are open go on. */
  stopListening(): void {
    // Closing removes whatever bears the name, which may be another daemon's by now; the end of the process closes too.
    if (this.#isBound()) this.#server?.close()
  }

  close(): void {
    for (const socket of this.#connections) socket.destroy()
  }

  async #bind(): Promise<void> {
    const {log} = this.#service
    // A peer that closes its own way after the last request still gets the answer.
    const server = createServer({allowHalfOpen: true}, socket => this.#accept(this.#service, socket))
    server.maxConnections = maxConnections
    removeSocket(this.#path)
    const umask = process.umask(0o177)
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({path: this.#path, backlog: 1024}, resolve)
      })
    } finally {
      process.umask(umask)
    }
    chmodSync(this.#path, 0o600)
    server.on('error', error => log.error(`socket: ${error.message}`))
    this.#server = server
    this.#inode = lstatSync(this.#path).ino
  }

  #isBound(): boolean {
    return lstatSync(this.#path, {throwIfNoEntry: false})?.ino === this.#inode
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
