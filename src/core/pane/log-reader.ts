import {open, readdir, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {journalFile} from './host/journal.ts'
import {segmentName} from './host/segment-log.ts'
import type {JournalEntry} from './types.ts'

export interface LogPiece {
  bytes: Buffer
  /** Where `bytes` begins: later than asked for when that was dropped or never stored. */
  offset: number
  /** Where to read on. */
  nextOffset: number
  /** Everything before this was dropped to keep the log's limit. */
  droppedBefore: number
  endOffset: number
}

interface Segment {
  base: number
  size: number
}

/** Raw output of a pane from `offset` on, at most `limitBytes`; works on a living pane and on a dead one alike. */
export async function readLog(
  paneDir: string,
  range: {offset: number; limitBytes: number},
): Promise<LogPiece> {
  // A segment may be dropped between the listing and the reading; what is left is then listed anew.
  for (let attempt = 0; ; attempt++) {
    try {
      return await readOnce(paneDir, range)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 3) throw error
    }
  }
}

async function readOnce(paneDir: string, range: {offset: number; limitBytes: number}): Promise<LogPiece> {
  const bases = await basesOf(paneDir)
  const last = bases.at(-1) ?? 0
  const endOffset = bases.length === 0 ? 0 : last + (await sizeOf(paneDir, last))
  const droppedBefore = bases[0] ?? 0
  const pieces: Buffer[] = []
  let offset = Math.min(Math.max(range.offset, droppedBefore), endOffset)
  let next = offset
  let left = range.limitBytes
  for (const [index, base] of bases.entries()) {
    if (left <= 0) break
    if ((bases[index + 1] ?? Number.POSITIVE_INFINITY) <= next) continue
    const {size} = index === bases.length - 1 ? {size: endOffset - base} : await segmentOf(paneDir, base)
    if (base + size <= next) continue
    if (base > next) {
      // A gap that a full disk left: it ends the piece, or is passed over before the first byte.
      if (pieces.length > 0) break
      offset = base
      next = base
    }
    const piece = await readPiece(paneDir, base, next - base, Math.min(left, base + size - next))
    pieces.push(piece)
    next += piece.length
    left -= piece.length
  }
  return {bytes: Buffer.concat(pieces), offset, nextOffset: next, droppedBefore, endOffset}
}

async function basesOf(paneDir: string): Promise<number[]> {
  const names = await readdir(paneDir)
  return names
    .flatMap(name => /^(\d{16})\.log$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}

async function segmentOf(paneDir: string, base: number): Promise<Segment> {
  return {base, size: await sizeOf(paneDir, base)}
}

async function sizeOf(paneDir: string, base: number): Promise<number> {
  await using file = await open(join(paneDir, segmentName(base)))
  return (await file.stat()).size
}

async function readPiece(paneDir: string, base: number, position: number, length: number): Promise<Buffer> {
  await using file = await open(join(paneDir, segmentName(base)))
  const bytes = Buffer.allocUnsafe(length)
  const {bytesRead} = await file.read(bytes, 0, length, position)
  return bytes.subarray(0, bytesRead)
}

/** A pane's journal entries after `afterSeq`. A last line that a crash or a full disk cut is left out. */
export async function readJournal(
  paneDir: string,
  options: {afterSeq: number},
): Promise<{entries: JournalEntry[]}> {
  let text: string
  try {
    text = await readFile(join(paneDir, journalFile), 'utf8')
  } catch (error) {
    // No program ever ran here.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {entries: []}
    throw error
  }
  const lines = text.split('\n')
  const entries = lines.flatMap((line, index) => {
    try {
      const entry = JSON.parse(line) as JournalEntry
      return entry.seq > options.afterSeq ? [entry] : []
    } catch (error) {
      if (line === '' || index === lines.length - 1) return []
      throw error
    }
  })
  return {entries}
}
