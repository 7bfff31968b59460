import type {DiffCounts, TaskFacts} from '../task/types.ts'
import {type Changes, readChanges} from './changes.ts'
import {readStatus, type TreeStatus} from './status.ts'
import {type GitTask, taskPlace} from './task-place.ts'
import {countUntracked, type UntrackedCount} from './untracked.ts'

/**
 * The facts of a task's worktree, read now: two git processes side by side.
 *
 * Throws `task.missing` for a worktree that was removed by hand, and git's failures; it never answers zero for unknown.
 */
export async function readFacts(task: GitTask, signal?: AbortSignal): Promise<TaskFacts> {
  const tree = taskPlace(task)
  const [status, changes] = await Promise.all([readStatus(tree, signal), readChanges(tree, task, signal)])
  const untracked = await countUntracked(tree.path, status.untrackedPaths, status.untracked)
  const facts: TaskFacts = {
    headRef: status.headRef,
    headCommit: status.headCommit,
    dirty: {changed: status.changed, untracked: status.untracked},
    diff: diffCounts(status, changes, untracked),
  }
  if (tree.path !== task.path) facts.movedTo = tree.path
  return facts
}

/** The numbers that list, status and diff all show. */
export function diffCounts(status: TreeStatus, changes: Changes, untracked: UntrackedCount): DiffCounts {
  const sum = (of: 'insertions' | 'deletions') =>
    changes.list.reduce((total, change) => total + (change[of] ?? 0), 0)
  const counts: DiffCounts = {
    filesChanged: changes.list.length + status.untracked,
    insertions: sum('insertions') + untracked.insertions,
    deletions: sum('deletions'),
    untracked: status.untracked,
  }
  if (status.truncated || changes.truncated || untracked.truncated) counts.truncated = true
  return counts
}
