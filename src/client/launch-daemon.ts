import {closeSync, openSync, readFileSync} from 'node:fs'
import {spawn} from '../core/child-process.ts'
import {type DataDir, isOwnSocket} from '../core/daemon/data-dir.ts'
import {prepareDataDir} from '../core/daemon/prepare-data-dir.ts'
import {fail} from '../core/errors.ts'
import {connect} from './connect.ts'
import {daemonEntry} from './places.ts'

/** How long a daemon may take until it listens, measured from its start; a loaded machine needs seconds. */
const startLimitMs = 20_000

/** What a daemon inherits: enough for git and a shell, nothing of the terminal, pane or agent that happened to start it. */
const inherited = /^(PATH|HOME|USER|LOGNAME|SHELL|TZ|TMPDIR|LANG|LC_\w+|XDG_\w+)$/

/**
 * Starts the daemon and returns once somebody listens: this daemon, or the one that was faster in a race.
 * Throws `daemon.start-failed` with the daemon's own words.
 */
export async function launchDaemon(paths: DataDir): Promise<void> {
  prepareDataDir(paths)
  const word = await startAndListen(paths)
  if (word === 'ready') return
  if (word !== 'held') fail('daemon.start-failed', {reason: word})

  const giveUpAt = performance.now() + startLimitMs
  for (let pauseMs = 10; performance.now() < giveUpAt; pauseMs = Math.min(250, pauseMs * 1.5)) {
    const socket = await connect(paths.socket)
    if (socket) return socket.destroy() && undefined
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
  fail('daemon.start-failed', {
    reason: `another termic daemon holds ${paths.lock} but does not listen; \`termic doctor\` tells more`,
  })
}

/** The daemon says one line on descriptor 3: `ready`, `held` (another one has the lock) or why it can't run. */
async function startAndListen(paths: DataDir): Promise<string> {
  const log = openSync(paths.log, 'a', 0o600)
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
    child.on('error', error => resolve(error.message))
    child.stdio[3]?.on('data', (data: Buffer) => {
      said += data.toString()
      if (said.includes('\n')) resolve(said.trim())
    })
    child.stdio[3]?.on('close', () => resolve(said.trim() || lastLine(paths.log)))
  })
  child.unref()
  return word
}

function lastLine(log: string): string {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
  return lines.findLast(line => /Error|error/.test(line)) ?? lines.at(-1) ?? 'it ended without a word'
}
