import {once} from 'node:events'
import {closeSync, openSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Readable, Writable} from 'node:stream'
import {type ChildProcess, spawn} from '../child-process.ts'
import {lastWords} from '../last-words.ts'
import {findProgram} from './host/program.ts'
import {scopeVariables} from './host-scope.ts'
import type {PaneLaunch, PaneReady} from './types.ts'

export interface StartHostOptions {
  /** The pane's directory, there already. */
  paneDir: string
  /** `src/host.ts` in sources, `dist/host.js` in a bundle. */
  hostEntry: string
  /** The Node that runs it. Default: this process's own. */
  node?: string
  /** Of which the host gets the few names it needs. Default: this process's own. */
  env?: Record<string, string | undefined>
  /** Words before its command that give it a systemd scope of its own (`hostScope`). */
  scope?: readonly string[]
  /** A host that gives no answer for so long is given up. */
  readyMs?: number
}

export interface StartedHost {
  /** Undefined when not even the process could be started; `launch` tells why. */
  hostPid: number | undefined
  /** Hands over the launch; resolves when the program runs, or when it is certain that it won't. Never rejects. */
  launch(spec: PaneLaunch): Promise<PaneReady>
  /** There is nothing to run after all: the host ends. */
  abandon(): void
}

const hostVariables = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TMPDIR',
  'TZ',
]
const defaultReadyMs = 15_000
/** prctl(2) by number: PR_SET_CHILD_SUBREAPER is 36 and survives exec; Node itself has no way to call it. */
const prctlNumbers: Partial<Record<string, number>> = {x64: 157, arm64: 167}

/**
 * Starts a pane host before it is known what it shall run: its start takes longer than most of what happens meanwhile.
 * It leads a session of its own and outlives this process.
 */
export function startHost(options: StartHostOptions): StartedHost {
  const {
    paneDir,
    hostEntry,
    node = process.execPath,
    env: given = process.env,
    readyMs = defaultReadyMs,
    scope = [],
  } = options
  const errors = join(paneDir, 'host.err')
  const stderr = openSync(errors, 'a', 0o600)
  const env = Object.fromEntries(
    [...hostVariables, ...(scope.length > 0 ? scopeVariables : [])].flatMap(name =>
      given[name] === undefined ? [] : [[name, given[name]]],
    ),
  )
  const [file = '', ...args] = [...scope, ...hostCommand([node, '--no-warnings', hostEntry], given)]
  const child = spawn(file, args, {cwd: paneDir, env, detached: true, stdio: ['pipe', 'pipe', stderr]})
  closeSync(stderr)
  const failed = new Promise<PaneReady>(resolve =>
    child.on('error', error => resolve(failure(error.message))),
  )
  // The host may be dead before it takes the launch; its exit tells.
  child.stdin?.on('error', () => {})
  const answer = readAnswer(child, errors)
  hold(child, false)
  return {
    hostPid: child.pid,
    async launch(spec) {
      hold(child, true)
      child.stdin?.end(JSON.stringify(spec))
      const {promise: late, resolve} = Promise.withResolvers<PaneReady>()
      const timer = setTimeout(
        () => resolve(failure(`its host gave no answer in ${readyMs / 1000} s`)),
        readyMs,
      )
      const ready = await Promise.race([answer, failed, late])
      clearTimeout(timer)
      if (!ready.ready) child.kill('SIGKILL')
      hold(child, false)
      child.stdout?.destroy()
      return ready
    },
    abandon() {
      child.stdin?.end()
      child.stdout?.destroy()
    },
  }
}

/** Through perl where there is one, so that the host is the reaper of all that its program leaves behind. */
function hostCommand(host: string[], env: Record<string, string | undefined>): string[] {
  const number = process.platform === 'linux' ? prctlNumbers[process.arch] : undefined
  const perl =
    number === undefined ? null : findProgram('perl', env.PATH === undefined ? {} : {PATH: env.PATH}, '/')
  if (perl === null) return host
  return [
    perl,
    '-e',
    `push @ARGV, 'subreaper' if syscall(${number}, 36, 1, 0, 0, 0) == 0; exec @ARGV or exit 127`,
    ...host,
  ]
}

async function readAnswer(child: ChildProcess, errors: string): Promise<PaneReady> {
  let text = ''
  child.stdout?.on('data', (piece: Buffer) => {
    text += piece.toString('utf8')
  })
  if (child.stdout !== null)
    await Promise.race([once(child.stdout, 'end'), once(child, 'exit')]).catch(() => {})
  try {
    return JSON.parse(text) as PaneReady
  } catch {
    // It died before it could answer; its last words are in the file.
    return failure(`its host ended at once (${lastLine(errors)})`)
  }
}

function failure(reason: string): PaneReady {
  return {ready: false, code: 'failed', reason}
}

function lastLine(file: string): string {
  try {
    return lastWords(readFileSync(file, 'utf8')) ?? 'no reason given'
  } catch {
    // The pane's directory is gone.
    return 'no reason given'
  }
}

/** While a launch is under way this process waits for the host; otherwise the host is no reason to go on living. */
function hold(child: ChildProcess, holds: boolean): void {
  type Holding = {ref?: () => void; unref?: () => void}
  for (const part of [child, child.stdin, child.stdout] as (Holding &
    (ChildProcess | Readable | Writable | null))[]) {
    if (holds) part?.ref?.()
    else part?.unref?.()
  }
}
