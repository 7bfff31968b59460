import {existsSync} from 'node:fs'
import type {TreePlace} from './git-environment.ts'
import {readGit} from './run-git.ts'
import {readStatus, type TreeStatus} from './status.ts'
import {unsavedSubmodules} from './submodules.ts'
import {commonDirOf, type GitTask, taskPlaceIfAny} from './task-place.ts'

const namedFiles = 3
const namedCommits = 3

/**
 * Work that would be lost with the worktree, in a few words ("2 changed and 1 untracked file: a.txt, b.txt, c.txt"), or null
 * when there is none. Ignored files do not count; commits on any branch are safe. Throws git's failures: not knowing is no
 * permission.
 */
export async function unsavedWork(task: GitTask, signal?: AbortSignal): Promise<string | null> {
  const place = taskPlaceIfAny(task)
  if (place === undefined && !existsSync(task.gitDir)) return null
  // Of a worktree deleted by hand the files are gone, while a commit of its detached HEAD still is not.
  const tree = place ?? {path: task.gitDir, gitDir: task.gitDir, commonDir: commonDirOf(task.gitDir)}
  const status = place === undefined ? undefined : await readStatus(place, signal)
  const phrases = [
    status === undefined ? undefined : filesPhrase(status),
    await detachedPhrase(tree, status, signal),
    ...(place === undefined ? [] : await unsavedSubmodules(place, signal)),
  ].filter(phrase => phrase !== undefined)
  return phrases.length === 0 ? null : phrases.join('; ')
}

/** `2 changed and 1 untracked file: a.txt, b.txt, c.txt`; undefined for a clean tree. */
export function filesPhrase(status: TreeStatus): string | undefined {
  const {changed, untracked} = status
  const total = changed + untracked
  if (total === 0) return undefined
  const counts = [changed > 0 && `${changed} changed`, untracked > 0 && `${untracked} untracked`].filter(
    Boolean,
  )
  const names = [...status.changedPaths, ...status.untrackedPaths].slice(0, namedFiles)
  const more = total > names.length ? ` and ${total - names.length} more` : ''
  const least = status.truncated ? 'at least ' : ''
  return `${least}${counts.join(' and ')} ${total === 1 ? 'file' : 'files'}: ${names.map(printable).join(', ')}${more}`
}

async function detachedPhrase(
  tree: TreePlace,
  status: TreeStatus | undefined,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (status !== undefined && status.headRef !== null) return undefined
  const run = {cwd: tree.path, kind: 'read', hostile: true, tree, signal} as const
  const commit = await readGit(['rev-parse', '--revs-only', 'HEAD^{commit}'], run)
  if (commit === '') return undefined
  const list = await readGit(
    [
      'rev-list',
      '--abbrev-commit',
      `--max-count=${namedCommits + 1}`,
      commit,
      '--not',
      '--branches',
      '--tags',
      '--remotes',
      '--',
    ],
    run,
  )
  if (list === '') return undefined
  const commits = list.split('\n')
  const more = commits.length > namedCommits ? ' and older ones' : ''
  return `commits on a detached HEAD that no branch has: ${commits.slice(0, namedCommits).join(', ')}${more}`
}

function printable(path: string): string {
  return /[\p{Cc}\p{Cf}]/u.test(path) ? JSON.stringify(path) : path
}
