import type {PaneRow} from '../store/panes-table.ts'
import {paneName} from '../text/pane-name.ts'
import type {HostClient} from './host-client.ts'
import {readLog} from './log-reader.ts'
import {foldLines, strip} from './strip.ts'

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
  const text = raw
    ? {text: Buffer.from(log.bytes).toString('utf8'), consumed: log.bytes.length}
    : strip(log.bytes, {forFolding: true})
  const folded = raw ? text.text : foldLines(text.text)
  return {
    pane: paneName(row.id),
    text: lines === undefined ? folded : lastLines(folded, lines),
    offset: log.offset,
    nextOffset: log.offset + text.consumed,
    droppedBefore: log.droppedBefore,
    eof: row.exited !== undefined && log.nextOffset >= log.endOffset,
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
    take: (text: string, offset: number) => Promise<void>
    connect: () => Promise<HostClient | undefined>
  },
): Promise<number> {
  let at = offset
  const readOn = async () => {
    for (;;) {
      const log = await readLog(dir, {offset: at, limitBytes: 256 * 1024})
      const {text, consumed} = raw
        ? {text: Buffer.from(log.bytes).toString('utf8'), consumed: log.bytes.length}
        : strip(log.bytes)
      at = log.offset + consumed
      if (text !== '') await take(raw ? text : text.replaceAll('\r\n', '\n'), log.offset)
      if (consumed === 0 || signal.aborted) return
    }
  }
  const client = await connect()
  if (client) await untilClosed(client, signal, readOn)
  await readOn()
  return at
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
  const lines = text.replace(/\n$/, '').split('\n')
  return lines.length === 0 ? '' : `${lines.slice(-count).join('\n')}\n`
}
