import {closeSync, fstatSync, openSync, readFileSync} from 'node:fs'
import {spawn} from '../core/child-process.ts'
import {type DataDir, isOwnSocket} from '../core/daemon/data-dir.ts'
import {prepareDataDir} from '../core/daemon/prepare-data-dir.ts'
import {asTermicError, fail} from '../core/errors.ts'
import {lastWords} from '../core/last-words.ts'
import {connect} from './connect.ts'
import {daemonEntry} from './places.ts'

/** How long a daemon may take until it listens; a loaded machine needs seconds. */
const startLimitMs = 20_000
/** How long the holder of the lock is waited for before this one tries again, since that may have been on its way out; doubled each time. */
const patienceMs = 2_000

/** What a daemon inherits: enough for git and a shell, nothing of the terminal, pane or agent that happened to start it. */
const inherited = /^(PATH|HOME|USER|LOGNAME|SHELL|TZ|TMPDIR|LANG|LC_\w+|XDG_\w+)$/

/**
 * Starts the daemon and returns once somebody listens: this daemon, or the one that was faster in a race.
 * Throws `daemon.start-failed` with the daemon's own words, and `data.unusable`.
 */
export async function launchDaemon(paths: DataDir): Promise<void> {
  prepareDataDir(paths)
  const giveUpAt = performance.now() + startLimitMs
  for (let waitMs = patienceMs; ; waitMs *= 2) {
    const word = await startAndListen(paths)
    if (word === 'ready') return
    if (word !== 'held') failToStart(word)
    if (await isListening(paths.socket, Math.min(waitMs, giveUpAt - performance.now()))) return
    if (performance.now() >= giveUpAt) break
  }
  fail('daemon.start-failed', {
    reason: `another one holds ${paths.lock} and does not listen at ${paths.socket}; ${paths.log} tells more`,
  })
}

/** The daemon's own failures come with their code, which a script may ask for. */
function failToStart(word: string): never {
  const [, cause, reason] = /^([a-z]+\.[a-z-]+|internal): (.*)$/s.exec(word) ?? []
  return fail('daemon.start-failed', cause === undefined ? {reason: word} : {reason, cause})
}

async function isListening(path: string, withinMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + withinMs
  for (let pauseMs = 10; ; pauseMs = Math.min(250, pauseMs * 1.5)) {
    const socket = await connect(path)
    socket?.destroy()
    if (socket || performance.now() >= giveUpAt) return socket !== null
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
}

/** The daemon says one line on descriptor 3: `ready`, `held` (another one has the lock) or why it can't run. */
async function startAndListen(paths: DataDir): Promise<string> {
  const log = openLog(paths.log)
  const {size} = fstatSync(log)
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => inherited.test(name)))
  const child = spawn(process.execPath, [daemonEntry, '--ready-fd=3'], {
    detached: true,
    cwd: paths.root,
    env: {...env, TERMIC_DATA_DIR: paths.root, ...(isOwnSocket(paths) ? {} : {TERMIC_SOCKET: paths.socket})},
    stdio: ['ignore', log, log, 'pipe'],
  })
  closeSync(log)
  const word = await new Promise<string>(resolve => {
    let said = ''
    const timer = setTimeout(
      () => resolve(`it did not begin to listen within ${startLimitMs / 1000} s; ${paths.log} tells more`),
      startLimitMs,
    )
    const settle = (word: string) => {
      clearTimeout(timer)
      resolve(word)
    }
    child.on('error', error => settle(error.message))
    child.stdio[3]?.on('data', (data: Buffer) => {
      said += data.toString()
      if (said.includes('\n')) settle(said.trim())
    })
    child.stdio[3]?.on('close', () => settle(said.trim() || wordsSince(paths.log, size)))
  })
  child.unref()
  return word
}

function openLog(path: string): number {
  try {
    return openSync(path, 'a', 0o600)
  } catch (error) {
    return fail('daemon.start-failed', {reason: asTermicError(error).message}, error)
  }
}

/** What Node itself said of a daemon that never came to a line of ours. */
function wordsSince(log: string, from: number): string {
  return lastWords(readFileSync(log).subarray(from).toString('utf8')) ?? 'it ended without a word'
}
