import {rmSync} from 'node:fs'
import type {Base} from '../base.ts'
import {undoWorktree} from '../git/undo-worktree.ts'
import type {Panes} from '../pane/panes.ts'
import {removeCreatingTask} from '../store/tasks-table.ts'
import type {Project, Task} from './types.ts'

/**
 * Takes back a task that never went live, wherever it stopped: ends what runs in its pane, undoes worktree and branch,
 * removes its rows. Safe to run again.
 */
export async function takeBack(
  base: Base,
  panes: Panes,
  project: Project,
  task: Task,
  pane: number | undefined,
): Promise<void> {
  if (pane !== undefined) await panes.endUnknown(pane)
  await undoWorktree({
    ...{id: task.id, root: project.root, gitDir: project.gitDir, path: task.path, branch: task.branch},
    ...{commit: task.baseCommit, branchCreated: task.branchCreated},
  })
  removeCreatingTask(base.store, task.id)
  if (pane !== undefined) rmSync(panes.dirOf(pane), {recursive: true, force: true})
}
