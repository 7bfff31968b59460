import {once} from 'node:events'
import {rmSync} from 'node:fs'
import {createServer, type Server} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'
import {HostConnection, type HostService} from './host-connection.ts'

const lookMs = 5

/** The host's socket and who is on it. */
export class HostServer {
  readonly #server: Server
  readonly #connections = new Set<HostConnection>()
  readonly #path: string

  private constructor(path: string, service: HostService) {
    this.#path = path
    this.#server = createServer(socket => {
      const connection = new HostConnection(socket, service)
      this.#connections.add(connection)
      socket.on('close', () => this.#connections.delete(connection))
    })
  }

  /** Throws when the socket can't be made (its path is too long, its directory gone). */
  static async listen(path: string, service: HostService): Promise<HostServer> {
    const host = new HostServer(path, service)
    // The socket is 0600 from its first moment; the mask is given back, since the program inherits it.
    const mask = process.umask(0o177)
    try {
      host.#server.listen(path)
      await once(host.#server, 'listening')
    } finally {
      process.umask(mask)
    }
    // An accept that failed (too many descriptors) leaves the others as they are.
    host.#server.on('error', () => {})
    return host
  }

  /** There is a new entry, or the log has grown. */
  advance(): void {
    for (const connection of this.#connections) connection.advance()
  }

  /** Takes nobody new, gives those who are there `withinMs` to get everything, and lets them go. */
  async close(withinMs: number): Promise<void> {
    const until = performance.now() + withinMs
    // The name first: who connected before is still in the kernel's queue and shall be answered like the others.
    rmSync(this.#path, {force: true})
    await delay(lookMs)
    this.#server.close()
    for (const connection of this.#connections) connection.advance()
    while ([...this.#connections].some(connection => !connection.isServed) && performance.now() < until) {
      await delay(lookMs)
    }
    for (const connection of this.#connections) connection.end()
    while (this.#connections.size > 0 && performance.now() < until) await delay(lookMs)
    for (const connection of this.#connections) connection.destroy()
  }
}
