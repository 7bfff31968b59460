import {mkdirSync, mkdtempSync, readFileSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {nextState} from '../../../src/core/agent/next-state.ts'
import type {ShellMarksState} from '../../../src/core/agent/shell-marks.ts'
import type {AgentSignal, AgentState} from '../../../src/core/agent/types.ts'
import {adopt} from '../../../src/core/pane/adopt.ts'
import {findProgram} from '../../../src/core/pane/host/program.ts'
import type {HostClient} from '../../../src/core/pane/host-client.ts'
import {readLog} from '../../../src/core/pane/log-reader.ts'
import {isAlive, readProcStat} from '../../../src/core/pane/proc-stat.ts'
import {startHost} from '../../../src/core/pane/spawn-host.ts'
import type {JournalEntry} from '../../../src/core/pane/types.ts'
import {kind} from '../../../src/plugins/agents/shell.ts'

export type ShellName = 'bash' | 'zsh' | 'fish'

const hostEntry = fileURLToPath(new URL('../../../src/host.ts', import.meta.url))
const patienceMs = 20_000
const open = new Set<ShellUnderTest>()

/** Where a user of each shell keeps what is theirs, below HOME. */
const rcFiles = {bash: '.bashrc', zsh: '.zshrc', fish: '.config/fish/config.fish'}

export function pathOf(shell: ShellName): string | null {
  return findProgram(shell, {PATH: process.env.PATH ?? ''}, '/')
}

export interface ShellOptions {
  /** What the user's rc file says. */
  rc?: string
  env?: Record<string, string>
  /** More files of HOME, by relative name. */
  home?: Record<string, string>
}

/** The shell kind in a real pane of its own HOME; its journal is folded as the daemon does it. */
export class ShellUnderTest {
  readonly home: string
  readonly paneDir: string
  readonly nonce: string
  readonly entries: JournalEntry[] = []
  readonly signals: AgentSignal[] = []
  state: AgentState
  shellPid = 0
  #readerState: unknown = kind.reader.initial
  #client: HostClient | undefined
  #hostPid = 0
  #hostTicks = 0
  #ids = 0
  readonly #waiting = new Set<() => void>()

  private constructor(place: string) {
    this.home = join(place, 'home')
    this.paneDir = join(place, 'pane')
    this.nonce = `nonce-${Math.random().toString(36).slice(2)}`
    const evidence = {source: 'none', at: Date.now(), detail: 'test'} as const
    this.state = {name: 'starting', since: evidence.at, evidence, confidence: 'exact'}
  }

  /** Resolves at the first prompt. */
  static async start(shell: ShellName, options: ShellOptions = {}): Promise<ShellUnderTest> {
    const pane = await ShellUnderTest.launch(shell, options)
    await pane.signal('ready')
    return pane
  }

  static async launch(
    shell: ShellName,
    {rc = '', env = {}, home = {}}: ShellOptions = {},
  ): Promise<ShellUnderTest> {
    const pane = new ShellUnderTest(mkdtempSync(join(tmpdir(), 's-')))
    mkdirSync(pane.paneDir, {mode: 0o700})
    for (const [name, text] of Object.entries({[rcFiles[shell]]: rc, ...home})) {
      mkdirSync(dirname(join(pane.home, name)), {recursive: true})
      writeFileSync(join(pane.home, name), text)
    }
    // Without it each new HOME costs fish a run of its manual page parser in the background.
    mkdirSync(join(pane.home, '.local/share/fish/generated_completions'), {recursive: true})
    const paneEnv = {
      PATH: process.env.PATH ?? '',
      HOME: pane.home,
      SHELL: pathOf(shell) ?? '',
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      ...env,
    }
    const launch = await kind.launch({paneDir: pane.paneDir, env: paneEnv, cwd: pane.home, nonce: pane.nonce})
    const ready = await startHost({paneDir: pane.paneDir, hostEntry}).launch({
      ...{dir: pane.paneDir, pane: 1, cwd: pane.home, columns: 100, rows: 30, ...launch},
    })
    if (!ready.ready) throw new Error(ready.reason)
    pane.#hostPid = ready.hostPid
    pane.#hostTicks = readProcStat(ready.hostPid)?.startTicks ?? 0
    pane.shellPid = ready.pid
    open.add(pane)
    const adoption = await adopt(pane.paneDir)
    if (!('alive' in adoption)) throw new Error('the host has ended')
    pane.#client = adoption.alive
    adoption.alive.onEntry(entry => pane.#take(entry))
    await adoption.alive.request('watch', {afterSeq: 0})
    return pane
  }

  /** Puts a prompt into the inbox and presses the key, as the daemon does. */
  async deliver(text: string, deliveryId = `d${++this.#ids}`): Promise<string> {
    await this.type(await kind.deliver({deliveryId, text}, {paneDir: this.paneDir}))
    return deliveryId
  }

  async type(keys: string | Uint8Array): Promise<void> {
    const inputId = `i${++this.#ids}`
    await this.#host().request('input', {inputId, data: Buffer.from(keys).toString('base64')})
  }

  /** Delivers and resolves with the turn's own signals, up to the prompt that follows or the shell's end. */
  async turn(text: string, deliveryId?: string): Promise<Turn> {
    const from = this.signals.length
    await this.deliver(text, deliveryId)
    return this.settled(from)
  }

  async settled(from: number): Promise<Turn> {
    await this.until('the turn is over', () =>
      this.signals.slice(from).some(({type}) => /^(ready|exited|draft)$/.test(type)),
    )
    return new Turn(this.paneDir, this.signals.slice(from))
  }

  /** The first signal of a type that came at or after `from`. */
  async signal<T extends AgentSignal['type']>(type: T, from = 0): Promise<Extract<AgentSignal, {type: T}>> {
    const find = () => this.signals.slice(from).find(signal => signal.type === type)
    return (await this.until(`the signal ${type}`, find)) as Extract<AgentSignal, {type: T}>
  }

  /** Waits on the journal and, for what a program prints, on the log. */
  async until<T>(what: string, look: () => T | undefined | false): Promise<T> {
    const found = look()
    if (found) return found
    return new Promise((resolve, reject) => {
      const timer = setTimeout(async () => {
        this.#waiting.delete(again)
        reject(new Error(`waited in vain until ${what}; ${await this.#lastWords()}`))
      }, patienceMs)
      const again = () => {
        const found = look()
        if (!found) return
        clearTimeout(timer)
        this.#waiting.delete(again)
        resolve(found)
      }
      this.#waiting.add(again)
    })
  }

  /** Resolves once the terminal got `text` from the program. */
  async shows(text: string): Promise<void> {
    let shown = false
    const look = async () => {
      shown ||= (await this.output()).includes(text)
      if (shown) for (const again of [...this.#waiting]) again()
    }
    this.#host().onGrown(() => void look())
    await this.#host().request('follow', {})
    await look()
    await this.until(`the terminal shows ${text}`, () => shown)
  }

  async output(): Promise<string> {
    return (await readLog(this.paneDir, {offset: 0, limitBytes: 1e9})).bytes.toString('utf8')
  }

  file(name: string): string {
    return readFileSync(join(this.home, name), 'utf8')
  }

  async end(): Promise<void> {
    if (!open.delete(this)) return
    if (isAlive(this.#hostPid, this.#hostTicks)) process.kill(this.#hostPid, 'SIGTERM')
    // Only the system knows when it is gone.
    while (isAlive(this.#hostPid, this.#hostTicks)) await delay(5)
    this.#client?.close()
  }

  #take(entry: JournalEntry): void {
    this.entries.push(entry)
    // The daemon stores it between two entries.
    const state = JSON.parse(JSON.stringify(this.#readerState)) as ShellMarksState
    const read = kind.reader.read(state, entry, {nonce: this.nonce})
    this.#readerState = read.state
    this.signals.push(...read.signals)
    for (const signal of read.signals) this.state = nextState(this.state, signal)
    for (const again of [...this.#waiting]) again()
  }

  #host(): HostClient {
    if (this.#client === undefined) throw new Error('the host has ended')
    return this.#client
  }

  async #lastWords(): Promise<string> {
    const said = this.entries.slice(-8).map(entry => JSON.stringify(entry))
    return `${said.join('\n')}\n${JSON.stringify((await this.output()).slice(-800))}`
  }
}

/** What came of one delivery. */
export class Turn {
  readonly #paneDir: string
  readonly signals: readonly AgentSignal[]

  constructor(paneDir: string, signals: readonly AgentSignal[]) {
    this.#paneDir = paneDir
    this.signals = signals
  }

  get types(): string[] {
    return this.signals.map(({type}) => type)
  }

  get exitCode(): number | undefined {
    const last = this.signals.findLast(signal => signal.type === 'ended' || signal.type === 'rejected')
    return last && 'exitCode' in last ? last.exitCode : undefined
  }

  /** Raw bytes between the command's start and its end, marks and all. */
  async output(): Promise<string> {
    const offsetOf = (type: AgentSignal['type']) =>
      this.signals.find(signal => signal.type === type)?.offset ?? 0
    const offset = offsetOf('started')
    const {bytes} = await readLog(this.#paneDir, {offset, limitBytes: offsetOf('ended') - offset})
    return bytes.toString('utf8')
  }
}

export async function endAllShells(): Promise<void> {
  await Promise.all([...open].map(pane => pane.end()))
}
