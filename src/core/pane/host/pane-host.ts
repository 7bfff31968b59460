import {constants} from 'node:os'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {writePaneRecord} from '../pane-record.ts'
import {readProcStat} from '../proc-stat.ts'
import {
  type HostAnswers,
  type HostRequest,
  type JournalFact,
  type PaneExit,
  type PaneLaunch,
  type PaneReady,
  type PaneRecord,
  paneProtocol,
} from '../types.ts'
import {endTree} from './end-tree.ts'
import {FactLimiter} from './fact-limiter.ts'
import {foregroundOf} from './foreground.ts'
import type {HostConnection} from './host-connection.ts'
import {HostServer} from './host-server.ts'
import {InputLedger} from './input-ledger.ts'
import {Journal} from './journal.ts'
import {OscScanner} from './osc-scanner.ts'
import {livingTree, signal} from './process-tree.ts'
import {whyNoDirectory, whyNoProgram} from './program.ts'
import {forkPty, type Pty} from './pty.ts'
import {defaultLogLimitBytes, SegmentLog} from './segment-log.ts'
import {TerminalReader} from './terminal-reader.ts'
import {TerminalWriter} from './terminal-writer.ts'

export const socketFile = 'host.sock'
/** Watchers get so long to take the last entries. */
const lingerMs = 1000
const congestionLookMs = 100
/** What a full disk refuses at the end (the last output, the record of the exit) is tried for so long. */
const diskPatienceMs = 30_000
const limits = {
  osc: {burst: 1, repeats: false},
  bell: {burst: 10, repeats: true},
  mode: {burst: 64, repeats: false},
}

/** One pane: a program in a terminal, its log and journal, and the socket to reach it by. */
export class PaneHost {
  readonly #launch: PaneLaunch
  readonly #isSubreaper: boolean
  readonly #socketPath: string
  readonly #log: SegmentLog
  readonly #journal: Journal
  readonly #limiter: FactLimiter
  readonly #scanner: OscScanner
  readonly #pty: Pty
  readonly #reader: TerminalReader
  readonly #inputs: InputLedger
  readonly #writer: TerminalWriter
  readonly #record: PaneRecord
  readonly #exited = Promise.withResolvers<void>()
  readonly #kills = new Set<Promise<unknown>>()
  #server: HostServer | undefined
  #pausedBy: NodeJS.Timeout | undefined
  /** Where the fact stands that the scanner is reporting; undefined outside of a scan. */
  #scanOffset: number | undefined

  /**
   * Starts the program of `launch`. No `host` means that nothing runs.
   * @param isSubreaper whether orphans of the tree become this process's children
   */
  static async start(launch: PaneLaunch, isSubreaper: boolean): Promise<{ready: PaneReady; host?: PaneHost}> {
    const noCwd = whyNoDirectory(launch.cwd)
    if (noCwd !== null) return {ready: {ready: false, code: 'no-cwd', reason: noCwd}}
    const noProgram = whyNoProgram(launch.argv[0] ?? '', launch.env, launch.cwd)
    if (noProgram !== null) return {ready: {ready: false, code: 'no-program', reason: noProgram}}
    let host: PaneHost | undefined
    // The socket first, so that no program runs that nobody could reach.
    const server = await HostServer.listen(join(launch.dir, socketFile), {
      answer: async (request, connection) => (host as PaneHost).#answer(request, connection),
      entries: (afterSeq, most) => (host === undefined ? [] : host.#journal.read(afterSeq, most)),
      lastSeq: () => (host === undefined ? 0 : host.#journal.lastSeq),
      endOffset: () => (host === undefined ? 0 : host.#log.endOffset),
    })
    host = new PaneHost(launch, isSubreaper)
    host.#server = server
    return {ready: {ready: true, pid: host.#pty.pid, hostPid: process.pid}, host}
  }

  private constructor(launch: PaneLaunch, isSubreaper: boolean) {
    const {dir, argv, cwd, nonce, columns, rows, firstPrompt} = launch
    this.#launch = launch
    this.#isSubreaper = isSubreaper
    this.#socketPath = join(dir, socketFile)
    this.#log = new SegmentLog(dir, launch.logLimitBytes ?? defaultLogLimitBytes, {
      onRefused: reason => this.#journal.add({type: 'log', state: 'refused', reason}),
      onAccepted: lostBytes => this.#journal.add({type: 'log', state: 'accepted', lostBytes}),
    })
    this.#journal = new Journal(
      dir,
      () => this.#log.endOffset,
      () => this.#server?.advance(),
    )
    this.#limiter = new FactLimiter(fact => this.#journal.add(fact, this.#scanOffset))
    this.#scanner = new OscScanner(nonce, (fact, offset) => this.#found(fact, offset))
    const env = {TERM: 'xterm-256color', COLORTERM: 'truecolor', ...launch.env}
    const onExit = (code: number, signal: number): void => void this.#programExited(code, signal)
    this.#pty = forkPty({argv, env, cwd, columns, rows, onExit})
    this.#reader = new TerminalReader(this.#pty, bytes => this.#take(bytes))
    this.#writer = new TerminalWriter(this.#pty.fd)
    this.#inputs = new InputLedger({
      writer: this.#writer,
      endOffset: () => this.#endOffset(),
      add: fact => this.#journal.add(fact),
    })
    if (firstPrompt !== undefined) this.#inputs.noteFirst(firstPrompt.inputId)
    this.#record = {
      protocol: paneProtocol,
      pane: launch.pane,
      hostPid: process.pid,
      hostStartTicks: readProcStat(process.pid)?.startTicks ?? 0,
      pid: this.#pty.pid,
      socket: this.#socketPath,
      argv,
      cwd,
      startedAt: Date.now(),
      ...(firstPrompt === undefined ? {} : {firstPrompt}),
      exited: null,
    }
    try {
      writePaneRecord(dir, this.#record)
    } catch (error) {
      // A pane without a record could never be found again, so it must not run.
      signal(-this.#pty.pid, 'SIGKILL')
      throw error
    }
    this.#journal.add({type: 'start', pid: this.#pty.pid})
  }

  /** Resolves when the program has exited, nobody has the terminal any more and the watchers know. */
  async untilDone(): Promise<void> {
    await this.#exited.promise
    await this.#reader.released
    await Promise.allSettled([...this.#kills])
    // A full disk: what the program said last may still find its place.
    for (const until = Date.now() + diskPatienceMs; this.#log.trouble !== null && Date.now() < until; )
      await delay(250)
    await this.#server?.close(lingerMs)
    this.#journal.close()
    this.#log.close()
  }

  /** Ends the whole tree; resolves when that is done, the time is over, and the exit is on record. */
  async end(reason: string, graceMs: number): Promise<HostAnswers['kill']> {
    this.#endOffset()
    this.#journal.add({type: 'kill', reason})
    const isSubreaper = this.#isSubreaper
    // Without a subreaper its session is all that leads to what it left.
    const programPid = this.#record.exited && isSubreaper ? undefined : this.#pty.pid
    const ending = endTree({hostPid: process.pid, programPid, isSubreaper, graceMs})
    this.#kills.add(ending)
    const report = await ending
    await Promise.race([this.#exited.promise, delay(500)])
    return report
  }

  async #answer(request: HostRequest, connection: HostConnection): Promise<HostAnswers[keyof HostAnswers]> {
    switch (request.method) {
      case 'watch':
        connection.watch(request.afterSeq)
        return {}
      case 'follow':
        connection.follow()
        return {endOffset: this.#endOffset()}
      case 'input':
        return this.#inputs.write(request.inputId, Buffer.from(request.data, 'base64'))
      case 'wasWritten':
        return this.#inputs.wasWritten(request.inputId)
      case 'resize':
        return this.#resize(request.columns, request.rows)
      case 'status':
        return this.#status()
      case 'kill':
        return this.end(request.reason, request.graceMs)
      default:
        throw new Error(`this pane host knows no method ${(request as {method: string}).method}`)
    }
  }

  #resize(columns: number, rows: number): Record<string, never> {
    const isSize = (value: number): boolean => Number.isInteger(value) && value > 0 && value < 0x10000
    if (!isSize(columns) || !isSize(rows)) throw new Error(`${columns} x ${rows} is no size of a terminal`)
    if (this.#record.exited === null) {
      this.#pty.resize(columns, rows)
      this.#endOffset()
      this.#journal.add({type: 'resize', columns, rows})
    }
    return {}
  }

  #status(): HostAnswers['status'] {
    const {pid, exited} = this.#record
    const trouble = this.#log.trouble
    return {
      pid,
      endOffset: this.#endOffset(),
      droppedBefore: this.#log.droppedBefore,
      lastSeq: this.#journal.lastSeq,
      ...(exited === null ? foregroundOf(pid) : {background: livingTree(process.pid, pid).length}),
      exited,
      ...(trouble === null ? {} : {logTrouble: trouble}),
    }
  }

  /** The log's end with all that was read from the terminal up to now. */
  #endOffset(): number {
    this.#reader.flush()
    return this.#log.endOffset
  }

  #take(bytes: Buffer): void {
    this.#log.append(bytes)
    this.#scanner.push(bytes)
    this.#scanOffset = undefined
    this.#server?.advance()
    if (this.#log.isCongested) this.#holdUp()
  }

  /** Lets the terminal wait while the disk takes nothing, as long as the log has hope. */
  #holdUp(): void {
    if (this.#pausedBy !== undefined) return
    this.#reader.pause()
    this.#pausedBy = setInterval(() => {
      if (this.#log.isCongested) return
      clearInterval(this.#pausedBy)
      this.#pausedBy = undefined
      this.#reader.resume()
    }, congestionLookMs)
  }

  #found(fact: JournalFact, offset: number): void {
    this.#scanOffset = offset
    if (fact.type === 'bell') this.#limiter.offer('bell', fact, limits.bell)
    else if (fact.type === 'mode') this.#limiter.offer(`mode ${fact.mode}`, fact, limits.mode)
    else if (fact.type === 'osc' && fact.code !== 133 && fact.code !== 633) {
      this.#limiter.offer(`osc ${fact.code}`, fact, limits.osc)
    } else this.#journal.add(fact, offset)
  }

  async #programExited(code: number, signalNumber: number): Promise<void> {
    this.#writer.close()
    this.#reader.drain()
    this.#limiter.flush()
    const name = Object.entries(constants.signals).find(([, number]) => number === signalNumber)?.[0]
    const exit: PaneExit = {
      code: signalNumber > 0 ? 128 + signalNumber : code,
      ...(signalNumber > 0 ? {signal: name ?? String(signalNumber)} : {}),
      at: Date.now(),
      offset: this.#log.endOffset,
    }
    this.#record.exited = exit
    const {offset: _, at: __, ...fact} = exit
    this.#journal.add({type: 'exit', ...fact})
    for (const until = Date.now() + diskPatienceMs; !this.#tryRecord() && Date.now() < until; )
      await delay(250)
    this.#exited.resolve()
  }

  #tryRecord(): boolean {
    try {
      writePaneRecord(this.#launch.dir, this.#record)
      return true
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT'
    }
  }
}
