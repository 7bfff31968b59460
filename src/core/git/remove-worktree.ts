import {lstatSync} from 'node:fs'
import {rename, rm} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {fail} from '../errors.ts'
import {readSmallFile} from './read-small-file.ts'
import {removeTree} from './remove-tree.ts'
import {inRepositoryOrder} from './repository-queue.ts'
import {commonDirOf, type GitTask, taskPlaceIfAny, worktreeGitDir} from './task-place.ts'
import {unsavedWork} from './unsaved-work.ts'
import {worktreeEntry} from './worktree-entry.ts'

export interface RemovedWorktree {
  /** The directory that was left: a main checkout, or one that belongs to another repository now by its `.git`. */
  kept?: string
}

/**
 * Removes a task's worktree and its entry; the branch stays. Done here and not by `git worktree remove`, which runs git
 * inside the tree, configured by whatever `.git` the agent left there. Running it again changes nothing.
 *
 * Throws `task.unsaved-work` unless `loseWork` is set, and `git.locked` for a worktree that somebody locked.
 */
export function removeWorktree(
  task: GitTask,
  {loseWork = false, signal}: {loseWork?: boolean; signal?: AbortSignal} = {},
): Promise<RemovedWorktree> {
  const commonDir = commonDirOf(task.gitDir)
  return inRepositoryOrder(commonDir, async () => {
    // A main checkout: its git directory is the repository itself.
    if (commonDir === task.gitDir) return {kept: task.path}
    requireUnlocked(task)
    if (!loseWork) {
      const what = await unsavedWork(task, signal)
      if (what !== null) fail('task.unsaved-work', {name: task.name, what})
    }
    const path = taskPlaceIfAny(task)?.path
    const kept = path !== undefined && !isOwn(task, path) ? {kept: path} : {}
    if (path !== undefined && kept.kept === undefined) await setAside(path)
    await removeTree(asidePath(path ?? task.path))
    await rm(task.gitDir, {recursive: true, force: true})
    return kept
  })
}

/**
 * Renamed first: a crash while thousands of files are removed then leaves a missing worktree, and not one whose lost files
 * look like work of the agent.
 */
async function setAside(path: string): Promise<void> {
  await removeTree(asidePath(path))
  try {
    await rename(path, asidePath(path))
  } catch {
    // A mount point, or a parent that is not writable; removing it says so itself when it cannot.
    await removeTree(path)
  }
}

function asidePath(path: string): string {
  return join(dirname(path), `.${basename(path)}.removing`)
}

/** The tree's `.git` file names the task's git directory; or it has none and the entry says that the tree is here. */
function isOwn(task: GitTask, path: string): boolean {
  if (lstatSync(join(path, '.git'), {throwIfNoEntry: false}) !== undefined)
    return worktreeGitDir(path) === task.gitDir
  return worktreeEntry(commonDirOf(task.gitDir), path) === task.gitDir
}

/** Throws `git.locked` for a worktree that somebody locked (on a removable disk, say). */
export function requireUnlocked({gitDir, path}: GitTask): void {
  const locked = readSmallFile(join(gitDir, 'locked'))
  if (locked === undefined) return
  fail('git.locked', {path, reason: locked.trim() === '' ? '' : ` (${locked.trim()})`})
}
