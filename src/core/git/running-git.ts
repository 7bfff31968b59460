import {readdirSync, readFileSync, readlinkSync} from 'node:fs'
import {basename} from 'node:path'
import {setTimeout as later} from 'node:timers/promises'

const lookEveryMs = 20
const graceMs = 2_000

/**
 * Waits until no git process works on making the worktree at `path`; one may outlive a daemon that was killed. After
 * `limitMs` what is left is ended, since a checkout that hangs (a filter waiting for the network) would otherwise keep its
 * task half-made for good. Linux only: other systems have no /proc, and there it returns at once.
 */
export async function untilNoGitMakes(path: string, limitMs: number): Promise<void> {
  if (await gone(path, limitMs)) return
  for (const pid of gitMaking(path)) signal(pid, 'SIGTERM')
  if (await gone(path, graceMs)) return
  for (const pid of gitMaking(path)) signal(pid, 'SIGKILL')
  await gone(path, graceMs)
}

async function gone(path: string, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs
  while (gitMaking(path).length > 0) {
    if (performance.now() >= end) return false
    await later(lookEveryMs)
  }
  return true
}

/**
 * `git worktree add <path>` by its arguments; the checkout that it starts (`git reset --hard`) names the path in its
 * environment only, and lives on when its parent alone was killed.
 */
function gitMaking(path: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        if (basename(readlinkSync(`/proc/${pid}/exe`)) !== 'git') return false
        const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
        if (args.includes('worktree') && args.includes('add') && args.includes(path)) return true
        return (
          args.includes('reset') &&
          readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`GIT_WORK_TREE=${path}`)
        )
      } catch {
        // It ended while we looked, or is another user's and so none of ours.
        return false
      }
    })
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
