import {existsSync} from 'node:fs'
import type {Base} from '../base.ts'
import type {Panes} from '../pane/panes.ts'
import {panesOfTask} from '../store/panes-table.ts'
import {projectById} from '../store/projects-table.ts'
import {tasksByLife} from '../store/tasks-table.ts'
import {finishArchive} from './archive-task.ts'
import {takeBack} from './take-back.ts'
import type {Project, Task} from './types.ts'

/**
 * After a daemon that died: tasks that were being made are taken back, those that were being archived are archived.
 * What fails is logged and tried again at the next start.
 */
export async function recoverTasks(base: Base, panes: Panes): Promise<void> {
  const {store, log} = base
  const each = async (task: Task, what: string, work: () => Promise<unknown>) => {
    try {
      await work()
      log.info(`task ${task.project}/${task.name}: ${what}, after the last daemon died in the middle`)
    } catch (error) {
      log.error(`task ${task.project}/${task.name} could not be ${what}: ${(error as Error).message}`)
    }
  }
  await Promise.all([
    ...tasksByLife(store, 'creating').map(task =>
      each(task, 'taken back', () => {
        const project = projectById(store, task.projectId) as Project
        return takeBack(base, panes, project, task, panesOfTask(store, task.id)[0]?.id)
      }),
    ),
    ...tasksByLife(store, 'archiving').map(task =>
      each(task, existsSync(task.path) ? 'archived' : 'filed away', () => finishArchive(base, panes, task)),
    ),
  ])
}
