import {closeSync, constants, openSync, readSync} from 'node:fs'
import {ReadStream} from 'node:tty'

/** Taken in one event-loop turn before it is handed on anyhow. */
const batchBytes = 256 * 1024
/** After an exit the kernel holds less than 128 KiB; more than this comes from a process that still writes. */
const drainBytes = 1024 * 1024
const probeMs = {first: 20, most: 500} as const

/**
 * Reads everything a terminal says, up to the last byte.
 *
 * libuv takes "some bytes and a hang-up" for the end of the stream and loses the rest (libuv#4992; 18 to 72 % of runs
 * that write 200 KB and exit). So the slave is held open, which keeps the hang-up away, and after the program's exit
 * the master is read here until EIO (nobody has the terminal any more) or EAGAIN (somebody has).
 */
export class TerminalReader {
  /** Resolves when no process has the terminal any more and every byte was handed on. */
  readonly released: Promise<void>

  readonly #fd: number
  readonly #slavePath: string
  readonly #onBatch: (bytes: Buffer) => void
  readonly #stream: ReadStream
  readonly #batch = Buffer.allocUnsafe(batchBytes)
  #batched = 0
  #flushing = false
  #slave: number
  #release: () => void = () => {}
  #probe: NodeJS.Timeout | undefined

  /** @param onBatch gets each turn's bytes at once; they are valid during the call only. */
  constructor(terminal: {fd: number; slave: string}, onBatch: (bytes: Buffer) => void) {
    this.#fd = terminal.fd
    this.#slavePath = terminal.slave
    this.#onBatch = onBatch
    this.#slave = openSlave(this.#slavePath)
    this.released = new Promise(resolve => {
      this.#release = resolve
    })
    // `onread` is net.Socket's: one buffer for all reads. Pausing then stops at once and leaves nothing behind inside.
    const onread = {
      buffer: Buffer.allocUnsafe(64 * 1024),
      callback: (length: number, buffer: Uint8Array) => {
        this.#take(buffer, length)
        return true
      },
    }
    this.#stream = new ReadStream(this.#fd, {onread} as unknown as ConstructorParameters<
      typeof ReadStream
    >[1])
    // EIO or EAGAIN here say nothing that the draining doesn't find out itself.
    this.#stream.on('error', () => {})
    this.#stream.resume()
  }

  pause(): void {
    this.#stream.pause()
  }

  resume(): void {
    this.#stream.resume()
  }

  /** Hands on what was read so far, so that the log's end is the terminal's. */
  flush(): void {
    if (this.#batched === 0) return
    const length = this.#batched
    this.#batched = 0
    this.#onBatch(this.#batch.subarray(0, length))
  }

  /** To be called once the program has exited. True when nobody has the terminal any more. */
  drain(): boolean {
    clearTimeout(this.#probe)
    this.#stream.pause()
    closeSync(this.#slave)
    const ended = this.#readAll()
    this.flush()
    if (ended) {
      this.#stream.destroy()
      this.#release()
      return true
    }
    this.#slave = openSlave(this.#slavePath)
    this.#stream.resume()
    this.#probeIn(probeMs.first)
    return false
  }

  /** Background processes keep the terminal: look again and again whether they still do. */
  #probeIn(waitMs: number): void {
    this.#probe = setTimeout(() => {
      if (!this.drain()) {
        clearTimeout(this.#probe)
        this.#probeIn(Math.min(waitMs * 2, probeMs.most))
      }
    }, waitMs)
  }

  /** True at EIO, false at EAGAIN or when there is no end of it. */
  #readAll(): boolean {
    const buffer = Buffer.allocUnsafe(64 * 1024)
    for (let total = 0; total < drainBytes; ) {
      let length: number
      try {
        length = readSync(this.#fd, buffer)
      } catch (error) {
        const {code} = error as NodeJS.ErrnoException
        if (code === 'EINTR') continue
        return code !== 'EAGAIN'
      }
      if (length === 0) return true
      this.#take(buffer, length)
      total += length
    }
    return false
  }

  #take(bytes: Uint8Array, length: number): void {
    if (this.#batched + length > batchBytes) this.flush()
    this.#batch.set(bytes.subarray(0, length), this.#batched)
    this.#batched += length
    if (this.#flushing) return
    this.#flushing = true
    setImmediate(() => {
      this.#flushing = false
      this.flush()
    })
  }
}

function openSlave(path: string): number {
  // O_NOCTTY: the host leads a session without a terminal and must not get this one.
  return openSync(path, constants.O_RDWR | constants.O_NOCTTY)
}
