import {readdirSync, readFileSync} from 'node:fs'

/** One process as /proc/<pid>/stat tells it (proc(5)). */
export interface ProcStat {
  pid: number
  /** `Z` and `X` are dead and only wait for their parent. */
  state: string
  parent: number
  group: number
  session: number
  /** The foreground process group of its terminal, -1 without one. */
  foregroundGroup: number
  /** Clock ticks since boot; with the pid it names a process for ever. */
  startTicks: number
}

/** Null when there is no such process, or no /proc on this system. */
export function readProcStat(pid: number): ProcStat | null {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    // Gone between two looks, which is an ordinary answer here.
    return null
  }
  // The command's name may hold spaces and parentheses, so the fields are counted from its last parenthesis.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return {
    pid,
    state: fields[0] ?? 'X',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    foregroundGroup: Number(fields[5]),
    startTicks: Number(fields[19]),
  }
}

export function allProcStats(): ProcStat[] {
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch {
    // No /proc here: nobody can be seen.
    return []
  }
  return names.filter(name => /^\d+$/.test(name)).flatMap(name => readProcStat(Number(name)) ?? [])
}

/** Whether that very process still runs; a zombie doesn't, a stopped one does. */
export function isAlive(pid: number, startTicks: number): boolean {
  const stat = readProcStat(pid)
  if (stat !== null) return stat.startTicks === startTicks && stat.state !== 'Z' && stat.state !== 'X'
  if (startTicks !== 0) return false
  // Without /proc (start ticks unknown) the kernel's own word for the pid must do.
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // ESRCH: no such process.
    return false
  }
}
