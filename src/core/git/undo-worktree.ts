import {existsSync, lstatSync, readdirSync} from 'node:fs'
import {rm, rmdir} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {branchStanding} from './branch-standing.ts'
import {markBegun, markOf, unmark} from './making-mark.ts'
import {removeTree} from './remove-tree.ts'
import {inRepositoryOrder} from './repository-queue.ts'
import {runGit} from './run-git.ts'
import {untilNoGitMakes} from './running-git.ts'
import {worktreeGitDir} from './task-place.ts'
import {canonicalPlace, unfinishedEntries, worktreeEntry} from './worktree-entry.ts'

export interface BegunWorktree {
  /** The task's id, as `addWorktree` was given it. */
  id: string
  root: string
  gitDir: string
  path: string
  branch: string
  /** Commit that the branch was made at. */
  commit: string
  /** The branch was made for this worktree, so it goes too while it still is at `commit`. */
  branchCreated: boolean
  /** How long to wait for a git process that still makes it, before ending that one. Default: not at all. */
  waitMs?: number
}

/**
 * Takes back a worktree that was begun by `addWorktree` and not finished, whatever it got to, also after a crash and while
 * a git process of the former daemon still works on it. Running it again changes nothing, and neither does it where
 * `addWorktree` refused: what stood there before (another task's worktree, the user's) has no mark of this task.
 */
export function undoWorktree(begun: BegunWorktree): Promise<void> {
  return inRepositoryOrder(begun.gitDir, () => undoInOrder(begun))
}

/** `undoWorktree` for a caller that has the repository's turn already. */
export async function undoInOrder(begun: BegunWorktree): Promise<void> {
  const {gitDir, id} = begun
  const path = canonicalPlace(begun.path)
  const mark = markOf(gitDir, id, worktreeEntry(gitDir, path))
  if (mark === undefined) return
  await untilNoGitMakes(path, begun.waitMs ?? 0)
  const entry = worktreeEntry(gitDir, path)
  // From here on the mark beside the repository is what a second undo goes by, the entry's is removed first.
  if (mark === 'made') markBegun(gitDir, id, path)
  if (isRemainder(path, gitDir, entry)) await removeTree(path)
  for (const gone of entry === undefined ? unfinishedEntries(gitDir, path) : [entry]) {
    await rm(gone, {recursive: true, force: true})
  }
  await removeIfEmpty(join(gitDir, 'worktrees'))
  if (begun.branchCreated) await removeBranch(begun)
  unmark(gitDir, id)
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
