import type {Task} from '../task/types.ts'

/** What a token may do. The cli-token's grant is full; scoped ones belong to one task. */
export type Grant = {scope: 'full'} | {scope: 'scoped'; projects: readonly string[]; taskId: string}

export const fullGrant: Grant = {scope: 'full'}

/**
 * Whether a grant reaches a task (50-sandbox.md §5). Seeing reaches the caller's own task and the ones it made;
 * acting reaches any task of the grant's projects. What is out of reach does not exist for the caller.
 */
export function reaches(grant: Grant, task: Task, access: 'see' | 'act'): boolean {
  if (grant.scope === 'full') return true
  if (!grant.projects.includes(task.projectId)) return false
  return access === 'act' || task.id === grant.taskId || task.parentId === grant.taskId
}
