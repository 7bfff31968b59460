import {closeSync, fstatSync, openSync, readSync, renameSync, writeSync} from 'node:fs'
import {inspect} from 'node:util'

export type LogLevel = 'info' | 'warn' | 'error'

export interface DaemonLog {
  info(text: string): void
  /** `thrown` adds what was thrown, with its stack and causes. */
  warn(text: string, thrown?: unknown): void
  error(text: string, thrown?: unknown): void
  close(): void
}

export interface DaemonLogOptions {
  /** Size at which the file is set aside. */
  limitBytes?: number
  /** Files that are kept besides the current one: `daemon.log.1` is the newest. */
  keep?: number
  /** Epoch milliseconds. */
  now?: () => number
}

const entryLimitCharacters = 16_384

/**
 * The daemon's log: one line an entry, appended at once. It never throws: a daemon that can't write its log (a full
 * disk) goes on working, and the entry is lost.
 */
export function openDaemonLog(path: string, options: DaemonLogOptions = {}): DaemonLog {
  const {limitBytes = 1024 * 1024, keep = 3, now = Date.now} = options
  let file: number | undefined
  /** The last entry was cut short (a full disk, a death in the middle): the next one must not grow out of it. */
  let isCut = false

  function write(level: LogLevel, text: string, thrown?: unknown): void {
    const line = Buffer.from(`${new Date(now()).toISOString()} ${level} ${entryOf(text, thrown)}\n`)
    try {
      file = openedFor(line.length)
      const whole = isCut ? Buffer.concat([Buffer.from('\n'), line]) : line
      const written = writeSync(file, whole)
      isCut = written === 0 ? isCut : written < whole.length
    } catch {
      // There is no better place to say it.
    }
  }

  function openedFor(bytes: number): number {
    const current = file ?? open()
    const {size, nlink} = fstatSync(current)
    const isFull = size > 0 && size + bytes > limitBytes
    // Without a link the file was removed by hand, and what we append would be seen by nobody.
    if (!isFull && nlink > 0) return current
    file = undefined
    closeSync(current)
    if (isFull && nlink > 0) setAside(path, keep)
    return open()
  }

  function open(): number {
    const opened = openSync(path, 'a+', 0o600)
    const {size} = fstatSync(opened)
    const last = Buffer.alloc(1)
    isCut = size > 0 && readSync(opened, last, 0, 1, size - 1) === 1 && last[0] !== 10
    return opened
  }

  return {
    info: text => write('info', text),
    warn: (text, thrown) => write('warn', text, thrown),
    error: (text, thrown) => write('error', text, thrown),
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

/** `log` → `log.1` → … ; the oldest is overwritten. */
function setAside(path: string, keep: number): void {
  const names = [path, ...Array.from({length: keep}, (_, index) => `${path}.${index + 1}`)]
  for (let index = names.length - 2; index >= 0; index--) {
    try {
      renameSync(names[index] as string, names[index + 1] as string)
    } catch {
      // Not there yet, or not to be moved: then the current file grows on, which loses nothing.
    }
  }
}

function entryOf(text: string, thrown: unknown): string {
  const whole =
    thrown === undefined ? text : `${text}: ${thrown instanceof Error ? inspect(thrown) : String(thrown)}`
  const short = whole.length > entryLimitCharacters ? `${whole.slice(0, entryLimitCharacters)}…` : whole
  return onOneLine(withoutTokens(short))
}

/** Our tokens are 64 hexadecimal digits; a commit (40) stays readable. */
function withoutTokens(text: string): string {
  return text.replace(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/gi, '[redacted]')
}

function onOneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey has no place in a log.
  return text.replace(/\r?\n/g, '\\n').replace(/[\x00-\x1f\x7f-\x9f]/g, character => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
}
