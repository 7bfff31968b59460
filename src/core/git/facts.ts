import type {DiffCounts, TaskFacts} from '../task/types.ts'
import {readChanges} from './changes.ts'
import type {Changes} from './compare.ts'
import type {TreePlace} from './git-environment.ts'
import {readStatus, type TreeStatus} from './status.ts'
import {type GitTask, taskPlace} from './task-place.ts'
import {countUntracked, type UntrackedCount} from './untracked.ts'

/**
 * The facts of a task's worktree, read now: git's status, and beside it a comparison of the index; a short
 * third process looks at files that were edited.
 *
 * Throws `task.missing` for a worktree that was removed by hand, and git's failures; it never answers zero for unknown.
 */
export async function readFacts(task: GitTask, signal?: AbortSignal): Promise<TaskFacts> {
  const tree = taskPlace(task)
  const {status, changes, untracked} = await readTree(tree, task, signal)
  const facts: TaskFacts = {
    headRef: status.headRef,
    headCommit: status.headCommit,
    dirty: {changed: status.changed, untracked: status.untracked},
    diff: diffCounts(status, changes, untracked),
  }
  if (tree.path !== task.path) facts.movedTo = tree.path
  return facts
}

/** What there is to know of a tree, as of one moment or nearly. */
export async function readTree(tree: TreePlace, task: GitTask, signal?: AbortSignal) {
  const reading = readStatus(tree, signal)
  const [status, changes, untracked] = await Promise.all([
    reading,
    readChanges(tree, task, reading, signal),
    reading.then(({untrackedPaths, untracked: total}) => countUntracked(tree.path, untrackedPaths, total)),
  ])
  return {status, changes, untracked}
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
