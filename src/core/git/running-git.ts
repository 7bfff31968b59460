import {readFileSync, readlinkSync} from 'node:fs'
import {basename, isAbsolute, resolve} from 'node:path'
import {setTimeout as later} from 'node:timers/promises'
import {allProcStats, readProcStat} from '../pane/proc-stat.ts'

const lookEveryMs = 20
const graceMs = 2_000

/**
 * Waits until no git process works on making the worktree at `path`; one may outlive a daemon that was killed. After
 * `limitMs` what is left is ended with all that it started (a filter that waits for the network), since a checkout that
 * hangs would otherwise keep its task half-made for good. Linux only: other systems have no /proc, and there it returns
 * at once.
 */
export async function untilNoGitMakes(path: string, limitMs: number): Promise<void> {
  if (await untilNone(() => gitMaking(path), limitMs)) return
  const pids = gitMaking(path)
  const groups = groupsOf(pids)
  const left = () => [...gitMaking(path), ...membersOf(groups)]
  for (const name of ['SIGTERM', 'SIGKILL'] as const) {
    for (const target of [...groups.map(group => -group), ...left()]) signal(target, name)
    if (await untilNone(left, graceMs)) return
  }
}

async function untilNone(find: () => number[], limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs
  while (find().length > 0) {
    if (performance.now() >= end) return false
    await later(lookEveryMs)
  }
  return true
}

/** The process groups that these lead, or whose leader is dead: ours, since every git gets a group (run-git.ts). */
function groupsOf(pids: readonly number[]): number[] {
  const groups = pids.map(pid => readProcStat(pid)?.group ?? 0)
  const isOurs = (group: number) => group > 1 && (pids.includes(group) || readProcStat(group) === null)
  return [...new Set(groups)].filter(isOurs)
}

function membersOf(groups: readonly number[]): number[] {
  return allProcStats()
    .filter(({group, state}) => groups.includes(group) && state !== 'Z' && state !== 'X')
    .map(({pid}) => pid)
}

/**
 * `git worktree add <path>` by its arguments; the checkout that it starts (`git reset --hard`) and the filters of that
 * one name the path in their environment only, and live on when their parent alone was killed.
 */
function gitMaking(path: string): number[] {
  return allProcStats()
    .filter(({pid, state}) => pid !== process.pid && state !== 'Z' && state !== 'X')
    .map(({pid}) => pid)
    .filter(pid => {
      const args = wordsOf(pid, 'cmdline')
      const isGit = basename(args[0] ?? '') === 'git'
      if (isGit && args.includes('worktree') && args.includes('add') && args.includes(path)) return true
      return workTreeOf(pid) === path
    })
}

function workTreeOf(pid: number): string | undefined {
  const name = 'GIT_WORK_TREE='
  const tree = wordsOf(pid, 'environ')
    .find(word => word.startsWith(name))
    ?.slice(name.length)
  if (tree === undefined || isAbsolute(tree)) return tree
  try {
    // A filter gets it as `.`.
    return resolve(readlinkSync(`/proc/${pid}/cwd`), tree)
  } catch {
    return undefined
  }
}

/** Empty when it ended while we looked, or is another user's and so none of ours. */
function wordsOf(pid: number, file: 'cmdline' | 'environ'): string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0')
  } catch {
    return []
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
