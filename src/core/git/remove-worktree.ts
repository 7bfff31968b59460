import {existsSync, lstatSync} from 'node:fs'
import {rm} from 'node:fs/promises'
import {join} from 'node:path'
import {fail} from '../errors.ts'
import {readSmallFile} from './read-small-file.ts'
import {removeTree} from './remove-tree.ts'
import {inRepositoryOrder} from './repository-queue.ts'
import {commonDirOf, type GitTask, worktreeGitDir} from './task-place.ts'
import {unsavedWork} from './unsaved-work.ts'

export interface RemovedWorktree {
  /** The directory that was left, since by its `.git` file it belongs to another repository now. */
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
  return inRepositoryOrder(commonDirOf(task.gitDir), async () => {
    const locked = readSmallFile(join(task.gitDir, 'locked'))
    if (locked !== undefined) {
      const reason = locked.trim() === '' ? '' : ` (${locked.trim()})`
      fail('git.locked', {path: task.path, reason})
    }
    if (!loseWork) {
      const what = await unsavedWork(task, signal)
      if (what !== null) fail('task.unsaved-work', {name: task.name, what})
    }
    const named = worktreeGitDir(task.path)
    const isForeign = named !== undefined && named !== task.gitDir
    const isThere = lstatSync(task.path, {throwIfNoEntry: false})?.isDirectory() ?? false
    if (isThere && !isForeign) await removeTree(task.path)
    // Never the main checkout's: that one is the repository itself.
    if (existsSync(join(task.gitDir, 'commondir'))) await rm(task.gitDir, {recursive: true, force: true})
    return isThere && isForeign ? {kept: task.path} : {}
  })
}
