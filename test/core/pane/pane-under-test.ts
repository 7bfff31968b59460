import {mkdtempSync, readdirSync, readlinkSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {adopt} from '../../../src/core/pane/adopt.ts'
import type {HostClient} from '../../../src/core/pane/host-client.ts'
import {readJournal, readLog} from '../../../src/core/pane/log-reader.ts'
import {allProcStats, isAlive, readProcStat} from '../../../src/core/pane/proc-stat.ts'
import {startHost} from '../../../src/core/pane/spawn-host.ts'
import type {JournalEntry, PaneLaunch} from '../../../src/core/pane/types.ts'

export const hostEntry = fileURLToPath(new URL('../../../src/host.ts', import.meta.url))
const patienceMs = 20_000
const open = new Set<PaneUnderTest>()

/** Polls a condition that only the system knows; whatever the product announces is waited for there instead. */
export async function until<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await delay(5)) {
    const found = await look()
    if (found) return found
  }
  throw new Error(`waited in vain until ${what}`)
}

export function paneDir(): string {
  return mkdtempSync(join(tmpdir(), 'p-'))
}

export function launchOf(dir: string, argv: string[], more: Partial<PaneLaunch> = {}): PaneLaunch {
  const env = {PATH: process.env.PATH ?? '/usr/bin:/bin', TMPDIR: tmpdir(), LANG: 'C.UTF-8'}
  return {dir, pane: 1, argv, cwd: tmpdir(), env, columns: 80, rows: 24, ...more}
}

/** A real pane: host process, program and (while it lives) a watching client. */
export class PaneUnderTest {
  readonly dir: string
  readonly pid: number
  readonly hostPid: number
  readonly hostTicks: number
  readonly entries: JournalEntry[] = []
  client: HostClient | undefined

  constructor(dir: string, pid: number, hostPid: number) {
    this.dir = dir
    this.pid = pid
    this.hostPid = hostPid
    this.hostTicks = readProcStat(hostPid)?.startTicks ?? 0
    open.add(this)
  }

  static async run(argv: string[], more: Partial<PaneLaunch> = {}): Promise<PaneUnderTest> {
    const dir = more.dir ?? paneDir()
    const ready = await startHost({paneDir: dir, hostEntry}).launch(launchOf(dir, argv, more))
    if (!ready.ready) throw new Error(ready.reason)
    const pane = new PaneUnderTest(dir, ready.pid, ready.hostPid)
    await pane.connect()
    return pane
  }

  static sh(script: string, more: Partial<PaneLaunch> = {}): Promise<PaneUnderTest> {
    return PaneUnderTest.run(['sh', '-c', script], more)
  }

  async connect(): Promise<void> {
    const adoption = await adopt(this.dir)
    if (!('alive' in adoption)) return
    const client = adoption.alive
    this.client = client
    client.onEntry(entry => {
      if (entry.seq > (this.entries.at(-1)?.seq ?? 0)) this.entries.push(entry)
    })
    // A host that ends right now closes the connection; its journal is read from the file then.
    await client.request('watch', {afterSeq: 0}).catch(() => {})
  }

  get host(): HostClient {
    if (this.client === undefined) throw new Error('the host has ended')
    return this.client
  }

  input(inputId: string, text: string | Uint8Array) {
    return this.host.request('input', {inputId, data: Buffer.from(text).toString('base64')})
  }

  entry(what: string, fits: (entry: JournalEntry) => boolean): Promise<JournalEntry> {
    return until(what, async () => this.entries.find(fits) ?? (await this.journal()).find(fits))
  }

  async journal(): Promise<JournalEntry[]> {
    return (await readJournal(this.dir, {afterSeq: 0})).entries
  }

  async exit() {
    const entry = await this.entry('the program exits', ({type}) => type === 'exit')
    return entry as Extract<JournalEntry, {type: 'exit'}>
  }

  async output(): Promise<string> {
    return (await readLog(this.dir, {offset: 0, limitBytes: 1e9})).bytes.toString('utf8')
  }

  /** The program's own word that it got somewhere. */
  says(text: string): Promise<unknown> {
    return until(`the program says ${text}`, async () => (await this.output()).includes(text))
  }

  hostEnds(): Promise<unknown> {
    return until('the host ends', () => !isAlive(this.hostPid, this.hostTicks))
  }

  async end(): Promise<void> {
    open.delete(this)
    if (isAlive(this.hostPid, this.hostTicks)) {
      process.kill(this.hostPid, 'SIGCONT')
      process.kill(this.hostPid, 'SIGTERM')
      await this.hostEnds()
    }
    this.client?.close()
  }
}

export async function endAllPanes(): Promise<void> {
  await Promise.all([...open].map(pane => pane.end()))
}

/** Living processes whose environment or directory is this test file's own: whatever a pane left anywhere. */
export function processesWith(mark: string): number[] {
  return allProcStats()
    .filter(({state}) => state !== 'Z' && state !== 'X')
    .filter(({pid}) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === mark
      } catch {
        // Gone meanwhile, or not ours to look at.
        return false
      }
    })
    .map(({pid}) => pid)
}

export function descriptorsOf(pid: number): Record<string, string> {
  const names = readdirSync(`/proc/${pid}/fd`)
  return Object.fromEntries(names.map(name => [name, readlinkSync(`/proc/${pid}/fd/${name}`)]))
}
