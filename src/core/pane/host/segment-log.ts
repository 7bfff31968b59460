import {closeSync, openSync, readdirSync, unlinkSync, writeSync} from 'node:fs'
import {join} from 'node:path'

export const defaultLogLimitBytes = 256 * 1024 * 1024
const maxSegmentBytes = 16 * 1024 * 1024
const minSegmentBytes = 64 * 1024
/** Kept in memory while the disk takes nothing (spec 30 §1: pause at 4 MB of backlog). */
export const maxBacklogBytes = 4 * 1024 * 1024
/** A full disk holds the program up for so long at most; then its output is given up instead of its progress. */
const patienceMs = 3000
const retryMs = 250

export interface LogTrouble {
  /** The error code the disk gave (ENOSPC, EDQUOT, EIO…). */
  reason: string
  since: number
  /** Output that found no place, so far. */
  lostBytes: number
}

export interface SegmentLogEvents {
  onRefused(reason: string): void
  /** The disk takes bytes again; `lostBytes` of them are missing in between. */
  onAccepted(lostBytes: number): void
}

export function segmentName(baseOffset: number): string {
  return `${String(baseOffset).padStart(16, '0')}.log`
}

/**
 * The raw output in files of 16 MiB, each named by the offset of its first byte; offsets only grow. Written at once
 * and unbuffered: a slow disk slows this process and thereby the terminal, which is all the backpressure it takes, and
 * what was reported as the log's end can be read by others.
 */
export class SegmentLog {
  readonly #dir: string
  readonly #limitBytes: number
  readonly #segmentBytes: number
  readonly #events: SegmentLogEvents
  readonly #bases: number[] = []
  #fd = -1
  #segmentUsed = 0
  /** Everything up to here is on disk or lost. */
  #storedOffset = 0
  #backlog: Buffer[] = []
  #backlogBytes = 0
  #trouble: LogTrouble | null = null
  #retry: NodeJS.Timeout | undefined

  /** Throws when the directory can't be written. */
  constructor(dir: string, limitBytes: number, events: SegmentLogEvents) {
    this.#dir = dir
    this.#limitBytes = limitBytes
    this.#segmentBytes = Math.min(maxSegmentBytes, Math.max(minSegmentBytes, Math.ceil(limitBytes / 4)))
    this.#events = events
    this.#openSegment()
  }

  get endOffset(): number {
    return this.#storedOffset + this.#backlogBytes
  }

  get droppedBefore(): number {
    return this.#bases[0] ?? 0
  }

  get trouble(): LogTrouble | null {
    return this.#trouble
  }

  /** True while the terminal should not be read: the backlog is full and there is still hope. */
  get isCongested(): boolean {
    return (
      this.#backlogBytes >= maxBacklogBytes &&
      this.#trouble !== null &&
      Date.now() - this.#trouble.since < patienceMs
    )
  }

  append(bytes: Buffer): void {
    if (this.#trouble === null) {
      const stored = this.#store(bytes)
      if (stored < bytes.length) this.#keep(bytes.subarray(stored))
    } else this.#keep(bytes)
  }

  close(): void {
    clearTimeout(this.#retry)
    if (this.#trouble !== null) this.#tryAgain()
    clearTimeout(this.#retry)
    if (this.#fd >= 0) closeSync(this.#fd)
    this.#fd = -1
  }

  #store(bytes: Buffer): number {
    let stored = 0
    while (stored < bytes.length) {
      if (this.#segmentUsed >= this.#segmentBytes && !this.#attempt(() => this.#openSegment())) return stored
      const length = Math.min(bytes.length - stored, this.#segmentBytes - this.#segmentUsed)
      let written = 0
      const isWritten = this.#attempt(() => {
        written = writeSync(this.#fd, bytes, stored, length)
      })
      stored += written
      this.#segmentUsed += written
      this.#storedOffset += written
      if (!isWritten) return stored
    }
    return stored
  }

  #attempt(action: () => void): boolean {
    try {
      action()
      return true
    } catch (error) {
      if (this.#trouble === null) {
        this.#trouble = {
          reason: (error as NodeJS.ErrnoException).code ?? String(error),
          since: Date.now(),
          lostBytes: 0,
        }
        this.#events.onRefused(this.#trouble.reason)
      }
      clearTimeout(this.#retry)
      this.#retry = setTimeout(() => this.#tryAgain(), retryMs)
      return false
    }
  }

  #keep(bytes: Buffer): void {
    this.#backlog.push(Buffer.from(bytes))
    this.#backlogBytes += bytes.length
    while (this.#backlogBytes > maxBacklogBytes && this.#trouble !== null && !this.isCongested) {
      const lost = this.#backlog.shift()
      if (lost === undefined) return
      this.#backlogBytes -= lost.length
      this.#storedOffset += lost.length
      this.#trouble.lostBytes += lost.length
      // A gap can only lie between two segments.
      this.#segmentUsed = this.#segmentBytes
    }
  }

  #tryAgain(): void {
    const trouble = this.#trouble
    if (trouble === null) return
    // Reopened each time: a disk that was full, unmounted and mounted again has a file of the same name only.
    if (this.#segmentUsed < this.#segmentBytes && !this.#attempt(() => this.#reopen())) return
    for (let piece = this.#backlog[0]; piece !== undefined; piece = this.#backlog[0]) {
      const stored = this.#store(piece)
      this.#backlogBytes -= stored
      if (stored < piece.length) {
        this.#backlog[0] = piece.subarray(stored)
        return
      }
      this.#backlog.shift()
    }
    this.#trouble = null
    clearTimeout(this.#retry)
    this.#events.onAccepted(trouble.lostBytes)
  }

  #openSegment(): void {
    const base = this.#storedOffset
    const fd = openSync(join(this.#dir, segmentName(base)), 'a', 0o600)
    if (this.#fd >= 0) closeSync(this.#fd)
    this.#fd = fd
    this.#bases.push(base)
    this.#segmentUsed = 0
    while (this.#bases.length > 1 && base + this.#segmentBytes - this.droppedBefore > this.#limitBytes) {
      this.#drop(this.#bases.shift() as number)
    }
  }

  #reopen(): void {
    const fd = openSync(join(this.#dir, segmentName(this.#bases.at(-1) ?? 0)), 'a', 0o600)
    if (this.#fd >= 0) closeSync(this.#fd)
    this.#fd = fd
  }

  #drop(base: number): void {
    try {
      unlinkSync(join(this.#dir, segmentName(base)))
    } catch {
      // Someone cleaned up by hand; it is gone, which was the aim.
    }
  }
}

/** Base offsets of a directory's segments, ascending. */
export function segmentBases(dir: string): number[] {
  return readdirSync(dir)
    .flatMap(name => /^(\d{16})\.log$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}
