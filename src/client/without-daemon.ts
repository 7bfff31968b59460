import {readFileSync} from 'node:fs'
import type {Socket} from 'node:net'
import {join} from 'node:path'
import type {OutputFormat} from '../core/argv/take-globals.ts'
import {type DataDir, isOwnSocket} from '../core/daemon/data-dir.ts'
import {TermicError} from '../core/errors.ts'
import type {Entry} from '../core/registry/entry.ts'
import {programDir} from '../program-dir.ts'
import {connect} from './connect.ts'
import {launchDaemon} from './launch-daemon.ts'
import {report} from './report.ts'
import {globalsOf, runLocal} from './run-local.ts'

/** Whoever replaces a daemon starts the next one at once; after this that has failed. */
const nextWithinMs = 5_000

export interface Situation {
  argv: string[]
  noLaunch: boolean
  paths: DataDir
  /** The call was under way before: it needs a daemon whatever it is. */
  reconnect?: true
  /** Somebody else starts the next daemon: it may be of a version that this client must not replace. */
  isReplaced?: boolean
}

/** What happens when nobody listens: help and plain commands run here, everything else gets a daemon. */
export async function withoutDaemon({
  argv,
  noLaunch,
  paths,
  reconnect,
  isReplaced,
}: Situation): Promise<{exit: number} | {socket: Socket}> {
  if (!reconnect && mayRunHere(argv)) {
    const exit = await runLocal(argv)
    if (exit !== 'daemon') return {exit}
  }
  let format: OutputFormat | undefined
  try {
    const asked = await globalsOf(argv)
    format = asked.format
    if (noLaunch || asked.noLaunch)
      throw new TermicError('daemon.not-running', {why: ' and --no-launch was given'})
    if (!isOwnSocket(paths)) {
      throw new TermicError('daemon.not-running', {
        why: ` at TERMIC_SOCKET (${paths.socket}), which is never started unasked`,
      })
    }
    const next = isReplaced ? await nextDaemon(paths.socket) : null
    if (next) return {socket: next}
    await launchDaemon(paths)
    const socket = await connect(paths.socket)
    if (socket) return {socket}
    throw new TermicError('daemon.start-failed', {
      reason: `it started, but nobody listens at ${paths.socket}`,
    })
  } catch (error) {
    return {exit: report(error, argv, format)}
  }
}

/** The daemon that somebody else is starting, or null when none came. */
async function nextDaemon(path: string): Promise<Socket | null> {
  for (const until = performance.now() + nextWithinMs; performance.now() < until; ) {
    const socket = await connect(path)
    if (socket) return socket
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  return null
}

/** Cheap and generous: the local runner looks closely and says when it needs the daemon after all. */
function mayRunHere(argv: string[]): boolean {
  const words = argv.filter(word => !word.startsWith('-'))
  if (words.length === 0 || argv.includes('--help') || argv.includes('-h')) return true
  const entries = JSON.parse(readFileSync(join(programDir, 'manifest.json'), 'utf8')) as Entry[]
  return entries.some(({id, local}) => local && words.join('.').startsWith(id))
}
