import * as z from 'zod'
import {duration, projectFlag, tabSelector, tasksArg, toggle} from '../../core/flags.ts'
import {waitResult} from '../../core/results.ts'
import {type Context, Verb, type VerbInput} from '../../core/verb/verb.ts'
import {combineOutcomes} from '../../core/wait/combine-outcomes.ts'
import {outcomeSentence} from '../../core/wait/outcome-sentence.ts'

const result = z.object({outcomes: z.array(waitResult)})
type Result = z.infer<typeof result>

/** `termic wait`: block until the agents are quiescent (settled, and their queues empty). */
export default class Wait extends Verb {
  static override summary = 'wait until the agent has finished everything it was sent; prints the outcome'
  static override args = {tasks: tasksArg({access: 'act'})}
  static override flags = {
    all: toggle({summary: 'wait for all of several tasks (the default)', exclusive: ['any']}),
    any: toggle({summary: 'end with the first of several tasks'}),
    project: projectFlag(),
    tab: tabSelector(),
    timeout: duration({
      summary: 'stop waiting after this time; the task goes on',
      key: 'timeoutMs',
      role: 'deadline',
    }),
  }
  static override examples = ['termic wait fix-login', 'termic wait fix-login docs --timeout 10m']
  static override scope = 'scoped' as const
  static override annotations = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }
  static override exits = [3, 7, 9]
  static override get result() {
    return result
  }

  static override async handle(
    {core, signal, emit}: Context,
    input: VerbInput<typeof Wait>,
  ): Promise<Result> {
    const {tasks, tab, timeout: timeoutMs, any} = input
    return {
      outcomes: await core.waits.untilQuiescent(tasks, {
        mode: any ? 'any' : 'all',
        tab,
        timeoutMs,
        signal,
        emit,
      }),
    }
  }

  static override exit({outcomes}: Result): number {
    return combineOutcomes(outcomes.map(({outcome}) => outcome))
  }

  static override render({outcomes}: Result): string {
    return outcomes.map(one => (outcomes.length > 1 ? `${one.task}: ` : '') + outcomeSentence(one)).join('\n')
  }
}
