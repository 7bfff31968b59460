import {writeSync} from 'node:fs'

/** Accepted but not yet written; more is refused, since a program that never reads must not fill the memory. */
export const maxPendingInputBytes = 16 * 1024 * 1024
/** Written in one turn before others get theirs. */
const turnBytes = 64 * 1024
const backOffMs = {first: 1, most: 32} as const

interface Job {
  bytes: Uint8Array
  written: number
  begin: () => void
  done: (state: 'written' | 'exited') => void
}

/**
 * Writes input to the non-blocking master, in order. Every library's writer does worse with a program that doesn't
 * read: it hangs the process, spins, or writes its rest into whatever descriptor gets the number after the exit.
 */
export class TerminalWriter {
  readonly #fd: number
  readonly #jobs: Job[] = []
  #pendingBytes = 0
  #waiting = false
  #waitMs: number = backOffMs.first
  #closed = false

  constructor(fd: number) {
    this.#fd = fd
  }

  /** False while so much waits that `bytes` more would be too much. */
  hasRoom(bytes: number): boolean {
    return this.#pendingBytes + bytes <= maxPendingInputBytes
  }

  /** Resolves when the last byte is in the terminal, or when the program ended before. `begin` is called right before the first byte. */
  write(bytes: Uint8Array, begin: () => void): Promise<'written' | 'exited'> {
    if (this.#closed) return Promise.resolve('exited')
    return new Promise(done => {
      this.#jobs.push({bytes, written: 0, begin, done})
      this.#pendingBytes += bytes.length
      if (!this.#waiting) this.#work()
    })
  }

  /** To be called before the descriptor is closed: its number may be given to any file then. */
  close(): void {
    this.#closed = true
    for (const job of this.#jobs.splice(0)) job.done('exited')
    this.#pendingBytes = 0
  }

  #work(): void {
    this.#waiting = false
    let budget = turnBytes
    while (!this.#closed) {
      const job = this.#jobs[0]
      if (job === undefined) return
      if (budget <= 0) {
        this.#later(0)
        return
      }
      if (job.written === 0) job.begin()
      if (job.written < job.bytes.length) {
        const length = this.#writeSome(job)
        if (length === 0) return
        budget -= length
      }
      if (job.written < job.bytes.length) continue
      this.#jobs.shift()
      job.done('written')
    }
  }

  /** 0 when the terminal takes nothing now; the next try is then arranged, or the writer closed. */
  #writeSome(job: Job): number {
    try {
      const length = writeSync(this.#fd, job.bytes, job.written)
      job.written += length
      this.#pendingBytes -= length
      if (length === 0) this.#backOff()
      else this.#waitMs = backOffMs.first
      return length
    } catch (error) {
      const {code} = error as NodeJS.ErrnoException
      if (code === 'EAGAIN' || code === 'EINTR') this.#backOff()
      // Anything else means that the terminal is no more (node-pty#178: EIO must not surface as a crash).
      else this.close()
      return 0
    }
  }

  #backOff(): void {
    this.#later(this.#waitMs)
    this.#waitMs = Math.min(this.#waitMs * 2, backOffMs.most)
  }

  #later(waitMs: number): void {
    this.#waiting = true
    if (waitMs === 0) setImmediate(() => this.#work())
    else setTimeout(() => this.#work(), waitMs)
  }
}
