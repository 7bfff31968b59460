import * as z from 'zod'
import {projectFlag, taskArg} from '../../core/flags.ts'
import {type Context, Verb, type VerbInput} from '../../core/verb/verb.ts'

const result = z.object({taskId: z.string(), path: z.string()})
type Result = z.infer<typeof result>

/** `termic path`: where a task's worktree is, for `cd "$(termic path NAME)"`. */
export default class Path extends Verb {
  static override summary = 'print the directory of a task'
  static override args = {task: taskArg({access: 'see'})}
  static override flags = {project: projectFlag()}
  static override examples = ['cd "$(termic path fix-login)"']
  static override annotations = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }
  static override mcp = {excluded: 'task_status has the path; a tool has no shell to change the directory of'}
  static override get result() {
    return result
  }

  static override async handle({core}: Context, {task}: VerbInput<typeof Path>): Promise<Result> {
    core.tasks.requirePresent(task)
    return {taskId: task.id, path: task.path}
  }

  static override render({path}: Result): string {
    return path
  }
}
