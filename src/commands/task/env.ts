import * as z from 'zod'
import {projectFlag, taskArg} from '../../core/flags.ts'
import {type Context, Verb, type VerbInput} from '../../core/verb/verb.ts'

const result = z.object({
  taskId: z.string(),
  captured: z
    .record(z.string(), z.string())
    .describe('from the shell that made the task, or its user’s login shell'),
  added: z.record(z.string(), z.string()).describe('by termic, in each of its panes'),
})
type Result = z.infer<typeof result>

/** `termic env`: the environment that a task's programs get. */
export default class Env extends Verb {
  static override summary = 'print the environment of a task’s programs, as NAME=value lines'
  static override args = {task: taskArg({access: 'see'})}
  static override flags = {project: projectFlag()}
  static override examples = ['termic env fix-login | grep ^PATH=']
  static override annotations = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }
  static override mcp = {excluded: 'an environment may hold the person’s secrets'}
  static override get result() {
    return result
  }

  static override async handle({core}: Context, {task}: VerbInput<typeof Env>): Promise<Result> {
    return {taskId: task.id, ...core.tasks.environment(task)}
  }

  static override render({captured, added}: Result): string {
    return Object.entries({...captured, ...added})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => `${name}=${value}`)
      .join('\n')
  }
}
