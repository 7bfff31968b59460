import {existsSync} from 'node:fs'
import {filesPhrase} from './files-phrase.ts'
import type {TreePlace} from './git-environment.ts'
import {readGit} from './run-git.ts'
import {readStatus, type TreeStatus} from './status.ts'
import {unsavedSubmodules} from './submodules.ts'
import {commonDirOf, type GitTask, taskPlaceIfAny} from './task-place.ts'

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
