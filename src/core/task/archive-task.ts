import type {Base} from '../base.ts'
import {fail} from '../errors.ts'
import {removeWorktree} from '../git/remove-worktree.ts'
import {isLive, type Panes} from '../pane/panes.ts'
import {panesOfTask} from '../store/panes-table.ts'
import {setTaskLife, taskById} from '../store/tasks-table.ts'
import type {Task} from './types.ts'

export interface Archived {
  taskId: string
  name: string
  project: string
  branch: string
  endedPanes: number
  endedProcesses: number
  /** null: unknown. */
  remainingProcesses: number | null
  /** The directory in the worktree's place, which belongs to another repository now and was left. */
  keptDirectory?: string
}

/**
 * Ends a task: no new prompt, open ones failed, its process trees ended and proven so, the worktree removed, the branch
 * kept. Work that is in no commit is looked for once more when nothing can write any longer, and then refuses: the task
 * stays as it is, with its agents ended. Throws `task.unsaved-work`.
 */
export async function archiveTask(
  base: Base,
  panes: Panes,
  task: Task,
  step: (text: string) => Promise<void>,
): Promise<Archived> {
  await base.recovered
  const life = taskById(base.store, task.id)?.life
  if (life === undefined || life === 'archived' || running.has(task.id))
    fail('task.archived', {name: task.name})
  setTaskLife(base.store, task.id, 'archiving')
  return finishArchive(base, panes, task, step)
}

/** A task that is left as `archiving` with none of these running is one whose row could not be changed back (a full disk). */
const running = new Set<string>()

/** The steps of `archiveTask` from wherever a former daemon stopped. */
export async function finishArchive(
  base: Base,
  panes: Panes,
  task: Task,
  step: (text: string) => Promise<void> = async () => {},
): Promise<Archived> {
  running.add(task.id)
  try {
    return await carryOut(base, panes, task, step)
  } catch (error) {
    setTaskLife(base.store, task.id, 'live')
    throw error
  } finally {
    running.delete(task.id)
  }
}

async function carryOut(
  base: Base,
  panes: Panes,
  task: Task,
  step: (text: string) => Promise<void>,
): Promise<Archived> {
  const {store, clock, events, facts} = base
  const all = panesOfTask(store, task.id)
  const live = all.filter(isLive)
  await step(`ending ${live.length} terminal(s)`)
  const reports = await Promise.all(live.map(({id}) => panes.end(id, `task ${task.name} was archived`)))
  const strays = await panes.endStrays(task)
  const unknown =
    reports.some(({remaining}) => remaining === null) || all.some(({lostAt}) => lostAt !== undefined)
  const remaining = strays.remaining + reports.reduce((sum, report) => sum + (report.remaining ?? 0), 0)
  if (remaining > 0) fail('task.processes-remain', {name: task.name, count: remaining})

  await step(`removing the worktree ${task.path}`)
  const {kept} = await removeWorktree(task)
  facts.forget(task.id)

  const at = clock.now()
  store.transaction(() => {
    for (const {id} of all) panes.supervisor(id)?.tell({type: 'archived', at})
    setTaskLife(store, task.id, 'archived', at)
    events.append({
      at,
      taskId: task.id,
      type: 'task.archived',
      data: {name: task.name, project: task.project},
    })
  })
  return {
    ...{
      taskId: task.id,
      name: task.name,
      project: task.project,
      branch: task.branch,
      endedPanes: live.length,
    },
    endedProcesses: strays.ended + reports.reduce((sum, {ended}) => sum + ended, 0),
    remainingProcesses: unknown ? null : remaining,
    ...(kept && {keptDirectory: kept}),
  }
}
