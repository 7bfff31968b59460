import {setTimeout as delay} from 'node:timers/promises'
import type {ProcStat} from '../proc-stat.ts'
import type {KillReport} from '../types.ts'
import {ignoresTerm, livingTree, signal} from './process-tree.ts'

/** After the grace: what still lives then is in the kernel's hands (an uninterruptible read of a dead disk). */
const forceMs = 5000
const lookMs = {first: 5, most: 50} as const

export interface EndTreeOptions {
  hostPid: number
  /** Undefined when it has ended: its number may be anybody's by now, as that of its group and its session. */
  programPid: number | undefined
  /** Whether orphans are this host's children; without that nobody can tell what got away. */
  isSubreaper: boolean
  graceMs: number
}

/** Ends every process of the pane. */
export async function endTree(options: EndTreeOptions): Promise<KillReport> {
  const {hostPid, programPid, isSubreaper, graceMs} = options
  let session = programPid
  const find = () => {
    const living = livingTree(hostPid, session)
    // Once nobody has the number the kernel may give it to a stranger.
    if (!living.some(stat => stat.session === session)) session = undefined
    return living
  }
  const begin = () => programPid !== undefined && signal(-programPid, 'SIGTERM')
  const report = await endProcesses(find, graceMs, begin)
  return {...report, remaining: isSubreaper ? report.remaining : null}
}

/**
 * Ends what `find` finds: TERM, the grace, then KILL until it finds nobody. It looks again after each round, since a
 * process that forks while it is being ended leaves children that the former look could not see.
 */
export async function endProcesses(
  find: () => ProcStat[],
  graceMs: number,
  begin: () => unknown = () => {},
): Promise<KillReport & {remaining: number}> {
  const startedAt = performance.now()
  const seen = new Set<string>()
  const forced = new Set<string>()
  let living = find()
  begin()
  for (let waitMs: number = lookMs.first; ; waitMs = Math.min(waitMs * 1.5, lookMs.most)) {
    const elapsedMs = performance.now() - startedAt
    for (const {pid, startTicks} of living) {
      const key = `${pid} ${startTicks}`
      if (!seen.has(key)) askToEnd(pid)
      seen.add(key)
      if (elapsedMs >= graceMs) {
        forced.add(key)
        signal(pid, 'SIGKILL')
      }
    }
    if (living.length === 0 || elapsedMs > graceMs + forceMs) break
    await delay(waitMs)
    living = find()
  }
  return {ended: seen.size - living.length, remaining: living.length, forced: forced.size}
}

function askToEnd(pid: number): void {
  if (ignoresTerm(pid)) signal(pid, 'SIGHUP')
  signal(pid, 'SIGTERM')
  // A stopped process can't act on either before it goes on.
  signal(pid, 'SIGCONT')
}
