import {closeSync, openSync, readSync, writeSync} from 'node:fs'
import {join} from 'node:path'
import type {JournalEntry, JournalFact} from '../types.ts'

export const journalFile = 'journal.ndjson'

/** Kept in memory while the disk takes nothing; then only facts that nobody could do without are added. */
const maxBacklogBytes = 1024 * 1024
/** Entries kept at hand for watchers; who lags further is served from the file. */
const recentEntries = 1024
/** Of every so many entries the file position is remembered, so that a late watcher costs no full read. */
const indexEvery = 64
const retryMs = 250

/** The pane's facts, one line each, numbered without gaps; written at once, so a line that was announced can be read. */
export class Journal {
  readonly #path: string
  readonly #endOffset: () => number
  readonly #onEntry: (entry: JournalEntry) => void
  readonly #fd: number
  readonly #recent: JournalEntry[] = []
  /** File position of entry 1, 1 + indexEvery, … */
  readonly #positions: number[] = []
  #lastSeq = 0
  #bytes = 0
  #unwritten: Buffer = Buffer.alloc(0)
  #retry: NodeJS.Timeout | undefined

  /** @param endOffset the log's end now. Throws when the file can't be made. */
  constructor(dir: string, endOffset: () => number, onEntry: (entry: JournalEntry) => void) {
    this.#path = join(dir, journalFile)
    this.#endOffset = endOffset
    this.#onEntry = onEntry
    this.#fd = openSync(this.#path, 'a', 0o600)
  }

  get lastSeq(): number {
    return this.#lastSeq
  }

  /** @param offset where it happened, when that is not the log's end. Returns whether the fact was taken. */
  add(fact: JournalFact, offset: number = this.#endOffset()): boolean {
    const canBeMissed = fact.type === 'osc' || fact.type === 'bell'
    if (canBeMissed && this.#unwritten.length > maxBacklogBytes) return false
    this.#lastSeq++
    const entry: JournalEntry = {seq: this.#lastSeq, at: Date.now(), offset, ...fact}
    if ((entry.seq - 1) % indexEvery === 0) this.#positions.push(this.#bytes)
    const line = Buffer.from(`${JSON.stringify(entry)}\n`)
    this.#bytes += line.length
    this.#unwritten = this.#unwritten.length === 0 ? line : Buffer.concat([this.#unwritten, line])
    this.#recent.push(entry)
    if (this.#recent.length > recentEntries) this.#recent.shift()
    if (this.#retry === undefined) this.#write()
    this.#onEntry(entry)
    return true
  }

  /** Up to `most` entries after `afterSeq`, in order. */
  read(afterSeq: number, most: number): JournalEntry[] {
    const first = this.#recent[0]
    if (first === undefined || afterSeq >= this.#lastSeq) return []
    if (afterSeq + 1 >= first.seq) {
      const start = afterSeq + 1 - first.seq
      return this.#recent.slice(start, start + most)
    }
    return this.#readFile(Math.max(0, afterSeq), most)
  }

  close(): void {
    clearTimeout(this.#retry)
    this.#write()
    clearTimeout(this.#retry)
    closeSync(this.#fd)
  }

  #readFile(afterSeq: number, most: number): JournalEntry[] {
    const from = Math.floor(afterSeq / indexEvery)
    const to = Math.floor((afterSeq + most) / indexEvery) + 1
    const start = this.#positions[from] ?? 0
    const end = Math.min(this.#positions[to] ?? this.#bytes, this.#bytes - this.#unwritten.length)
    const bytes = Buffer.alloc(Math.max(0, end - start))
    const fd = openSync(this.#path, 'r')
    const length = readSync(fd, bytes, 0, bytes.length, start)
    closeSync(fd)
    const lines = bytes.toString('utf8', 0, length).split('\n').slice(0, -1)
    return lines
      .map(line => JSON.parse(line) as JournalEntry)
      .filter(entry => entry.seq > afterSeq)
      .slice(0, most)
  }

  /** On a full disk the rest is kept and tried again, so that a line is late or cut by the end, but never fused with another. */
  #write(): void {
    this.#retry = undefined
    try {
      while (this.#unwritten.length > 0) {
        this.#unwritten = this.#unwritten.subarray(writeSync(this.#fd, this.#unwritten))
      }
    } catch {
      // The log tells of the full disk; here it only means: later.
      this.#retry = setTimeout(() => this.#write(), retryMs)
    }
  }
}
