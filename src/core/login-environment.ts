import {randomBytes} from 'node:crypto'
import {userInfo} from 'node:os'
import {basename} from 'node:path'
import {spawn} from './child-process.ts'
import {type Clock, realClock} from './clock.ts'
import {stripCaptured} from './strip-environment.ts'

/** `note` says why it is only the daemon's own. */
export interface LoginResult {
  env: Record<string, string>
  note?: string
}

/** The environment that the user's login shell makes, found once. */
export interface LoginEnvironment {
  get(): Promise<LoginResult>
}

export interface LoginOptions {
  /** The daemon's own. */
  env?: Readonly<Record<string, string | undefined>>
  clock?: Clock
  /** A start file that waits for a person must not hold a task up. */
  limitMs?: number
  /** After a failure it is not asked again for so long. */
  retryAfterMs?: number
}

const outputLimitBytes = 1024 * 1024

/**
 * Asks the user's login shell, as an interactive one since version managers put themselves into PATH only there. Callers
 * at the same time share one run; success is kept, a failure is tried again later, so that one slow start of a machine
 * does not hide a PATH for the daemon's life.
 */
export function loginEnvironment(options: LoginOptions = {}): LoginEnvironment {
  const {env = process.env, clock = realClock, limitMs = 5000, retryAfterMs = 60_000} = options
  let running: Promise<LoginResult> | undefined
  let kept: {result: LoginResult; until: number} | undefined

  async function ask(): Promise<LoginResult> {
    try {
      const found = await probe(withUser(env), limitMs)
      kept = {result: {env: stripCaptured(found)}, until: Number.POSITIVE_INFINITY}
    } catch (error) {
      const note = `the login shell did not tell its environment (${(error as Error).message}); the daemon's own is used`
      kept = {result: {env: withUser(env), note}, until: clock.monotonic() + retryAfterMs}
    } finally {
      running = undefined
    }
    return kept.result
  }

  return {
    get() {
      if (kept && clock.monotonic() < kept.until) return Promise.resolve(kept.result)
      running ??= ask()
      return running
    },
  }
}

/** Runs the shell in a session of its own, so that it finds no terminal, and ends with all that it started in time. */
function probe(env: Record<string, string>, limitMs: number): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const marker = randomBytes(16).toString('hex')
    const shell = env.SHELL as string
    const words = [...flagsOf(shell), `echo ${marker}; /usr/bin/env -0; echo ${marker}`]
    // A start file may look for this variable to leave out what only a person needs.
    const child = spawn(shell, words, {
      cwd: '/',
      env: {...env, TERM: 'dumb', TERMIC_RESOLVING_ENVIRONMENT: '1'},
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    const output: Buffer[] = []
    let size = 0
    const timer = setTimeout(() => end(new Error(`no answer within ${limitMs / 1000} s`)), limitMs)
    child.on('error', error => end(error))
    child.on('close', code => end(new Error(`it ended with ${code ?? 'a signal'} and no answer`)))
    child.stdout?.on('data', (data: Buffer) => {
      output.push(data)
      size += data.length
      const found = between(Buffer.concat(output).toString(), marker)
      if (found) end(found)
      else if (size > outputLimitBytes) end(new Error('it printed too much'))
    })

    function end(outcome: Error | Record<string, string>): void {
      clearTimeout(timer)
      child.removeAllListeners()
      child.on('error', () => {
        // It can't be started or ended; the outcome said so.
      })
      child.stdout?.destroy()
      endGroup(child.pid)
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
  })
}

/** What start files print comes before the first marker or between the variables' end and the second. */
function between(output: string, marker: string): Record<string, string> | undefined {
  const start = output.indexOf(`${marker}\n`)
  const end = output.lastIndexOf(marker)
  if (start === -1 || end <= start) return undefined
  const env: Record<string, string> = {}
  for (const entry of output.slice(start + marker.length + 1, end).split('\0')) {
    const at = entry.indexOf('=')
    if (at > 0) env[entry.slice(0, at)] = entry.slice(at + 1)
  }
  return env.PATH === undefined ? undefined : env
}

/** csh takes `-l` only alone. */
function flagsOf(shell: string): string[] {
  return /^t?csh$/.test(basename(shell)) ? ['-ic'] : ['-l', '-i', '-c']
}

/** A daemon of a service manager may know neither home nor shell; the password database does. */
function withUser(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = stripCaptured(env)
  const {username, homedir, shell} = user()
  return {
    ...given,
    HOME: given.HOME || homedir,
    USER: given.USER || username,
    LOGNAME: given.LOGNAME || username,
    SHELL: given.SHELL || shell || '/bin/sh',
  }
}

function user(): {username: string; homedir: string; shell: string | null} {
  try {
    return userInfo()
  } catch {
    // A uid without an entry (containers).
    return {username: 'nobody', homedir: '/', shell: null}
  }
}

function endGroup(leader: number | undefined): void {
  if (leader === undefined) return
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}
