import type {PaneRow} from '../store/panes-table.ts'
import {paneName} from '../text/pane-name.ts'
import type {HostClient} from './host-client.ts'
import {readLog} from './log-reader.ts'
import {foldLines, incompleteTailBytes, type Stripped, strip} from './strip.ts'

export interface OutputOptions {
  lines?: number
  /** Raw byte of the log to begin at; without it the tail. */
  offset?: number
  limitBytes?: number
  raw?: boolean
}

export interface PaneOutput {
  pane: string
  text: string
  offset: number
  nextOffset: number
  droppedBefore: number
  eof: boolean
}

const defaultLimitBytes = 1024 * 1024
/** Raw bytes looked at per asked line: control sequences take most of them. */
const bytesPerLine = 2_000

/** A stretch of a pane's log as text: control sequences removed, lines as a terminal would leave them. */
export async function readPane(
  dir: string,
  row: PaneRow,
  {lines, offset, limitBytes = defaultLimitBytes, raw}: OutputOptions,
): Promise<PaneOutput> {
  const {endOffset} = await readLog(dir, {offset: 0, limitBytes: 0})
  const tail = Math.min(limitBytes, (lines ?? 200) * bytesPerLine)
  const log = await readLog(dir, {offset: offset ?? Math.max(0, endOffset - tail), limitBytes})
  const eof = row.exited !== undefined && log.nextOffset >= log.endOffset
  const text = raw ? rawText(log.bytes, eof) : strip(log.bytes, {forFolding: true})
  const folded = raw ? text.text : foldLines(text.text)
  return {
    pane: paneName(row.id),
    text: lines === undefined ? folded : lastLines(folded, lines),
    offset: log.offset,
    nextOffset: log.offset + text.consumed,
    droppedBefore: log.droppedBefore,
    eof,
  }
}

/** Reads on from `offset` whenever the log grows, until the host says that the program has ended. */
export async function followPane(
  dir: string,
  offset: number,
  {
    raw,
    signal,
    take,
    connect,
  }: {
    raw?: boolean
    signal: AbortSignal
    take: (text: string, offset: number, nextOffset: number) => Promise<void>
    connect: () => Promise<HostClient | undefined>
  },
): Promise<number> {
  let at = offset
  const readOn = async (isEnd = false) => {
    for (;;) {
      const log = await readLog(dir, {offset: at, limitBytes: 256 * 1024})
      const {text, consumed} = raw ? rawText(log.bytes, isEnd) : strip(log.bytes)
      at = log.offset + consumed
      if (text !== '') await take(raw ? text : withPlainLineEnds(text), log.offset, at)
      if (consumed === 0 || signal.aborted) return
    }
  }
  const client = await connect()
  if (client) await untilClosed(client, signal, readOn)
  await readOn(!signal.aborted)
  return at
}

/** A CR inside of a line is a progress bar's and stays; beside a line end it says nothing. */
function withPlainLineEnds(text: string): string {
  return text.replace(/\r*\n\r*/g, '\n')
}

/** As it was written; a character whose rest is still to come waits for it. */
function rawText(bytes: Uint8Array, isEnd: boolean): Stripped {
  const consumed = isEnd ? bytes.length : bytes.length - incompleteTailBytes(bytes, bytes.length)
  return {text: Buffer.from(bytes.buffer, bytes.byteOffset, consumed).toString('utf8'), consumed}
}

async function untilClosed(
  client: HostClient,
  signal: AbortSignal,
  readOn: () => Promise<void>,
): Promise<void> {
  const ended = Promise.withResolvers<void>()
  let reading: Promise<void> = Promise.resolve()
  let again = false
  const read = () => {
    if (again) return
    again = true
    reading = reading.then(() => {
      again = false
      return readOn()
    }, ended.reject)
  }
  client.onGrown(read)
  client.onClose(() => ended.resolve())
  signal.addEventListener('abort', () => ended.resolve(), {once: true})
  // It may have gone before anybody listened, while it read what came first.
  if (signal.aborted) ended.resolve()
  try {
    await client.request('follow', {})
    read()
    await ended.promise
    await reading
  } finally {
    client.close()
  }
}

function lastLines(text: string, count: number): string {
  const end = text.endsWith('\n') ? '\n' : ''
  const lines = text.slice(0, text.length - end.length).split('\n')
  return lines.slice(-count).join('\n') + end
}
