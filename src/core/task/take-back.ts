import {rmSync} from 'node:fs'
import type {Base} from '../base.ts'
import {undoWorktree} from '../git/undo-worktree.ts'
import type {Panes} from '../pane/panes.ts'
import {removeCreatingTask, taskById} from '../store/tasks-table.ts'
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

const againMs = 2_000

/**
 * `takeBack` now and, where that fails (a full disk), again and again beside what else goes on, so that the name is not
 * taken for good. Never throws.
 */
export async function takeBackInTime(
  base: Base,
  panes: Panes,
  project: Project,
  {task, pane}: {task: Task; pane: {id: number}},
): Promise<void> {
  try {
    await takeBack(base, panes, project, taskById(base.store, task.id) ?? task, pane.id)
  } catch (error) {
    const name = `${task.project}/${task.name}`
    base.log.warn(`task ${name} could not be taken back yet: ${(error as Error).message}`)
    base.clock.timer(againMs, () => void takeBackInTime(base, panes, project, {task, pane}))
  }
}
