import {readFileSync} from 'node:fs'
import {allProcStats, type ProcStat} from '../proc-stat.ts'

/**
 * The processes of a pane: everything below its host, and the program's session. With the host as child subreaper an
 * orphan becomes the host's child, so nothing gets away by forking twice or by a session of its own.
 */
export function livingTree(hostPid: number, programPid: number | undefined): ProcStat[] {
  const all = allProcStats()
  const children = Map.groupBy(all, stat => stat.parent)
  const found = new Map<number, ProcStat>()
  const visit = (pid: number): void => {
    for (const child of children.get(pid) ?? []) {
      if (found.has(child.pid)) continue
      found.set(child.pid, child)
      visit(child.pid)
    }
  }
  visit(hostPid)
  if (programPid !== undefined)
    for (const stat of all) if (stat.session === programPid) found.set(stat.pid, stat)
  return [...found.values()].filter(stat => stat.state !== 'Z' && stat.state !== 'X')
}

/** Sends a signal; false when there is nobody to get it (any more). */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch {
    // ESRCH: it ended by itself. EPERM: it changed its user, and the next look will show it alive.
    return false
  }
}

/** Interactive shells ignore SIGTERM and end at SIGHUP. */
export function ignoresTerm(pid: number): boolean {
  try {
    const mask = /^SigIgn:\s+([0-9a-f]+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? '0'
    return ((BigInt(`0x${mask}`) >> 14n) & 1n) === 1n
  } catch {
    // It ended meanwhile.
    return false
  }
}
