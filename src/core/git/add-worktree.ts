import {lstatSync} from 'node:fs'
import {mkdir, rm} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {fail} from '../errors.ts'
import {branchStanding} from './branch-standing.ts'
import {markBegun, markMade} from './making-mark.ts'
import {readSmallFile} from './read-small-file.ts'
import {inRepositoryOrder} from './repository-queue.ts'
import {runGit} from './run-git.ts'
import {undoInOrder} from './undo-worktree.ts'
import {canonicalPlace, worktreeEntry} from './worktree-entry.ts'

export interface WantedWorktree {
  /** The task's id, by which an undo knows its own. */
  id: string
  /** The main checkout and the common directory of the repository. */
  root: string
  gitDir: string
  /** Where it shall be; the directories above are made. */
  path: string
  branch: string
  /** Commit that a new branch starts at. */
  commit: string
  /** Make the branch; otherwise an existing one, checked out nowhere, is taken as it is. */
  newBranch: boolean
  /** PATH for git and its filters (git-lfs), instead of the daemon's own. */
  searchPath?: string
  /** Default 10 minutes: a checkout may be large, but a filter that waits for the network must not hang it for good. */
  timeoutMs?: number
  signal?: AbortSignal
}

export interface MadeWorktree {
  /** Canonical. */
  path: string
  /** The worktree's own git directory, to be kept: nothing reads it from the worktree again. */
  gitDir: string
}

const addTimeoutMs = 600_000

/**
 * Makes a worktree, after all earlier changes to the same repository. When it fails or is aborted, what it had begun is
 * gone again, and nothing that was there before is touched.
 *
 * No hook of the repository runs, unlike with a plain `git worktree add` (post-checkout, reference-transaction): with
 * `core.hooksPath` inside the tree the hook is part of the commit that is checked out, and starting a task on a stranger's
 * branch must not run that outside of any cage. What a project wants to run at creation is its `setup` script, which
 * asks for trust. Filters of the user's configuration do run, as the files would be wrong without them (git-crypt, LFS).
 *
 * Throws `task.place-taken`, `task.branch-exists`, `task.branch-in-use`, `task.branch-conflict`, and git's failures.
 */
export function addWorktree(wanted: WantedWorktree): Promise<MadeWorktree> {
  return inRepositoryOrder(wanted.gitDir, async () => {
    wanted.signal?.throwIfAborted()
    const path = canonicalPlace(wanted.path)
    await checkPlace(wanted, path)
    if (!wanted.newBranch) await checkBranch(wanted)
    let branchCreated = false
    markBegun(wanted.gitDir, wanted.id, path)
    try {
      if (wanted.newBranch) {
        await makeBranch(wanted)
        branchCreated = true
      }
      await mkdir(dirname(path), {recursive: true})
      const gitDir = await checkOut(wanted, path)
      markMade(wanted.gitDir, wanted.id, gitDir)
      return {path, gitDir}
    } catch (error) {
      await undoInOrder({...wanted, path, branchCreated})
      throw error
    }
  })
}

async function checkPlace(wanted: WantedWorktree, path: string): Promise<void> {
  if (lstatSync(path, {throwIfNoEntry: false}) !== undefined) fail('task.place-taken', {path})
  await dropStaleEntry(wanted.gitDir, path)
}

async function checkBranch(wanted: WantedWorktree): Promise<void> {
  const {branch} = wanted
  const standing = await branchStanding(wanted, branch)
  if (standing.conflict !== undefined) fail('task.branch-conflict', {branch, other: standing.conflict})
  if (standing.checkedOutAt !== undefined) fail('task.branch-in-use', {branch, path: standing.checkedOutAt})
  if (wanted.newBranch && standing.commit !== undefined) fail('task.branch-exists', {branch})
}

/**
 * An entry whose directory somebody removed by hand keeps git from using the place and the branch; `git worktree prune` is
 * what would drop it. One that is locked, or whose detached HEAD may be all that holds a commit, stays, and git says why.
 */
async function dropStaleEntry(commonDir: string, path: string): Promise<void> {
  const entry = worktreeEntry(commonDir, path)
  if (entry === undefined || readSmallFile(join(entry, 'locked')) !== undefined) return
  if (readSmallFile(join(entry, 'HEAD'))?.startsWith('ref: ')) await rm(entry, {recursive: true, force: true})
}

/**
 * Before `git worktree add` and not by its `-b`: so it is known who made the branch when something fails, since the empty
 * old value lets this succeed only while there is none. It writes no configuration either, the lock that parallel adds
 * fight for, and sets up no tracking (what `--no-track` is for).
 */
async function makeBranch(wanted: WantedWorktree): Promise<void> {
  const {root, gitDir, branch, commit, signal} = wanted
  try {
    await runGit(['update-ref', '-m', `branch: Created from ${commit}`, `refs/heads/${branch}`, commit, ''], {
      cwd: root,
      kind: 'write',
      hostile: true,
      repository: gitDir,
      signal,
    })
  } catch (error) {
    // What stands in its way is asked for only now, and told in our words.
    if (!signal?.aborted) await checkBranch(wanted)
    throw error
  }
}

/** Gives the worktree's git directory. */
async function checkOut(wanted: WantedWorktree, path: string): Promise<string> {
  const {root, gitDir, branch, signal} = wanted
  await runGit(['worktree', 'add', '--no-guess-remote', '--', path, branch], {
    cwd: root,
    kind: 'write',
    hostile: true,
    repository: gitDir,
    timeoutMs: wanted.timeoutMs ?? addTimeoutMs,
    path: wanted.searchPath,
    signal,
  })
  return (
    worktreeEntry(gitDir, path) ??
    fail('git.failed', {command: 'worktree add', reason: `it left no entry for ${path}`})
  )
}
