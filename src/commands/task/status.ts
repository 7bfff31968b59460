import * as z from 'zod'
import {duration, projectFlag, taskArg} from '../../core/flags.ts'
import {taskStatus} from '../../core/results.ts'
import {describeStatus} from '../../core/task/describe-status.ts'
import {type Context, Verb, type VerbInput, type View} from '../../core/verb/verb.ts'

const result = z.object({task: taskStatus})
type Result = z.infer<typeof result>

/** `termic status`: everything about one task. */
export default class Status extends Verb {
  static override summary =
    'show one task: state with evidence, tabs, panes, queue, real HEAD, uncommitted work'
  static override args = {task: taskArg({access: 'see'})}
  static override flags = {
    project: projectFlag(),
    'max-age': duration({
      summary: 'take facts of git that are up to this old; default: fresh ones',
      key: 'maxAgeMs',
    }),
  }
  static override examples = ['termic status fix-login --json | jq .task.state']
  static override scope = 'scoped' as const
  static override annotations = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }
  static override get result() {
    return result
  }

  static override async handle({core}: Context, input: VerbInput<typeof Status>): Promise<Result> {
    return {task: await core.tasks.status(input.task, {maxAgeMs: input['max-age'] ?? 0})}
  }

  static override render({task}: Result, view: View): string {
    return describeStatus(task, view)
  }
}
