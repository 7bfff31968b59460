import {existsSync, lstatSync, readdirSync} from 'node:fs'
import {rm, rmdir} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {branchStanding} from './branch-standing.ts'
import {readSmallFile} from './read-small-file.ts'
import {removeTree} from './remove-tree.ts'
import {inRepositoryOrder} from './repository-queue.ts'
import {runGit} from './run-git.ts'
import {untilNoGitMakes} from './running-git.ts'
import {worktreeGitDir} from './task-place.ts'
import {canonicalPlace, unfinishedEntries, worktreeEntry} from './worktree-entry.ts'

export interface BegunWorktree {
  root: string
  gitDir: string
  path: string
  branch: string
  /** Commit that the branch was made at. */
  commit: string
  /** The branch was made for this worktree, so it goes too while it still is at `commit`. */
  branchCreated: boolean
  /** How long to wait for a git process that still makes it, before ending that one. Default 30 s. */
  waitMs?: number
}

/**
 * Takes back a worktree that was begun by `addWorktree` and not finished, whatever it got to, also after a crash and while
 * a git process of the former daemon still works on it. Running it again changes nothing. Whatever is not plainly that
 * worktree stays: a directory that no entry of the repository names, another branch, a branch that moved on.
 */
export function undoWorktree(begun: BegunWorktree): Promise<void> {
  return inRepositoryOrder(begun.gitDir, () => undoInOrder(begun))
}

const defaultWaitMs = 30_000

/** `undoWorktree` for a caller that has the repository's turn already. */
export async function undoInOrder(begun: BegunWorktree): Promise<void> {
  const path = canonicalPlace(begun.path)
  await untilNoGitMakes(path, begun.waitMs ?? defaultWaitMs)
  const entry = worktreeEntry(begun.gitDir, path)
  if (entry === undefined || isOurs(entry, begun)) {
    if (isRemainder(path, begun.gitDir, entry)) await removeTree(path)
    if (entry !== undefined) await rm(entry, {recursive: true, force: true})
  }
  for (const unfinished of unfinishedEntries(begun.gitDir, path))
    await rm(unfinished, {recursive: true, force: true})
  await removeIfEmpty(join(begun.gitDir, 'worktrees'))
  if (begun.branchCreated) await removeBranch(begun)
}

/** HEAD is all zeros, or not written, until git has got that far. */
function isOurs(entry: string, {branch, commit}: BegunWorktree): boolean {
  const head = readSmallFile(join(entry, 'HEAD'))?.trimEnd() ?? ''
  return head === `ref: refs/heads/${branch}` || head === commit || /^0*$/.test(head)
}

/** An empty directory is one that git had just made; anything else has to have a `.git` that names this repository. */
function isRemainder(path: string, gitDir: string, entry: string | undefined): boolean {
  if (!lstatSync(path, {throwIfNoEntry: false})?.isDirectory()) return false
  if (readdirSync(path).length === 0) return true
  const named = worktreeGitDir(path)
  if (named === undefined) return false
  return entry === undefined
    ? dirname(named) === join(gitDir, 'worktrees') && !existsSync(named)
    : named === entry
}

async function removeBranch({root, gitDir, branch, commit}: BegunWorktree): Promise<void> {
  const standing = await branchStanding({root, gitDir}, branch)
  if (standing.commit !== commit || standing.checkedOutAt !== undefined) return
  // With the old value named, a branch that moves in this moment stays.
  await runGit(['update-ref', '-d', `refs/heads/${branch}`, commit], {
    cwd: root,
    kind: 'write',
    hostile: true,
    repository: gitDir,
  })
}

async function removeIfEmpty(directory: string): Promise<void> {
  try {
    await rmdir(directory)
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
