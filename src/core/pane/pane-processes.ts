import {readdirSync, readFileSync, readlinkSync} from 'node:fs'
import {signal} from './host/process-tree.ts'
import {readPaneRecord} from './pane-record.ts'
import {allProcStats, isAlive, type ProcStat} from './proc-stat.ts'

/** The hosts of a pane that may have no record yet: a host has its pane's directory as its own. */
export function hostsIn(paneDir: string): number[] {
  return pids().filter(pid => cwdOf(pid) === paneDir)
}

/** A host that was stopped (SIGSTOP) goes on, since it could do nothing that it is asked for. */
export function wakeHost(paneDir: string): void {
  const record = readPaneRecord(paneDir)
  if (record && isAlive(record.hostPid, record.hostStartTicks)) signal(record.hostPid, 'SIGCONT')
}

/**
 * Every living process that was started in a pane of this task, whoever is its parent by now: all have the task's id in
 * their environment. What escaped its pane (the agent had exited, its host was killed) is found by nothing else.
 */
export function processesOfTask(taskId: string): ProcStat[] {
  const word = `TERMIC_TASK_ID=${taskId}`
  return allProcStats().filter(
    ({pid, state}) => pid !== process.pid && state !== 'Z' && state !== 'X' && hasInEnvironment(pid, word),
  )
}

function hasInEnvironment(pid: number, word: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(word)
  } catch {
    // It ended, or is another user's.
    return false
  }
}

function cwdOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

function pids(): number[] {
  try {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name))
      .map(Number)
  } catch {
    // No /proc here: nobody can be seen.
    return []
  }
}
