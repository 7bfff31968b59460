import * as z from 'zod'
import {integer, text} from '../core/flags.ts'
import {type Context, Verb, type VerbInput} from '../core/verb/verb.ts'

const result = z.object({lastSeq: z.int().min(0).describe('give it to --after to go on from here')})
type Result = z.infer<typeof result>

/** `termic events`: what happens, as it happens. */
export default class Events extends Verb {
  static override summary =
    'print state, delivery, task and pane events as they happen, one JSON object per line'
  static override flags = {
    after: integer({
      summary: 'first those after this sequence number; default: only new ones',
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      value: 'SEQ',
    }),
    task: text({summary: 'only of this task', value: 'TASK'}),
  }
  static override examples = ['termic events | jq -c "select(.type == \\"delivery\\")"']
  static override annotations = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }
  static override mcp = {excluded: 'an endless stream does not fit a tool call; task_wait and task_status do'}
  static override get result() {
    return result
  }

  static override async handle(
    {core, signal, emit}: Context,
    {after, task}: VerbInput<typeof Events>,
  ): Promise<Result> {
    const taskId = task === undefined ? undefined : core.tasks.resolve(task, {access: 'see'}).id
    let lastSeq = after ?? core.events.lastSeq()
    for await (const event of core.events.since(lastSeq, {taskId, signal})) {
      lastSeq = event.seq
      const next = {after: String(lastSeq)}
      await emit({type: 'output', text: `${JSON.stringify(event)}\n`, event, next})
    }
    return {lastSeq}
  }
}
