import * as z from 'zod'
import {describeDelivery} from '../../core/delivery/describe-delivery.ts'
import {fail} from '../../core/errors.ts'
import {duration, freeText, projectFlag, tabSelector, taskArg, text, toggle} from '../../core/flags.ts'
import {delivery, waitResult} from '../../core/results.ts'
import {type Context, Verb, type VerbInput} from '../../core/verb/verb.ts'
import {outcomeExit} from '../../core/wait/outcome-exit.ts'
import {outcomeSentence} from '../../core/wait/outcome-sentence.ts'

const result = z.object({
  taskId: z.string(),
  delivery,
  capable: z.boolean().describe('the agent gives a sign when it has finished'),
  wait: waitResult.optional(),
})
type Result = z.infer<typeof result>

/** `termic send`: put a prompt into the queue of a task's agent. */
export default class Send extends Verb {
  static override summary = 'send a prompt to a task’s agent (queued while it works); prints how far it got'
  static override args = {task: taskArg({access: 'act'})}
  static override flags = {
    prompt: freeText({summary: 'what to tell the agent; - reads stdin', char: 'p'}),
    again: toggle({
      summary: 'send the newest prompt that was not delivered once more',
      exclusive: ['prompt'],
    }),
    project: projectFlag(),
    tab: tabSelector(),
    resume: toggle({summary: 'start the ended agent again in its last session', exclusive: ['fresh', 'tab']}),
    fresh: toggle({summary: 'start the ended agent again in a new session', exclusive: ['tab']}),
    wait: toggle({summary: 'wait until this prompt has settled'}),
    timeout: duration({
      summary: 'stop waiting after this time; the task goes on',
      key: 'timeoutMs',
      role: 'deadline',
      dependsOn: ['wait'],
    }),
    'delivery-id': text({
      summary: 'own id of the prompt: the same id is never delivered twice',
      value: 'ID',
      role: 'idempotencyKey',
    }),
  }
  static override examples = [
    'termic send fix-login -p "npm run lint" --wait',
    'termic send fix-login -p - < notes.md',
  ]
  static override scope = 'scoped' as const
  static override annotations = {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  }
  static override exits = [3, 7, 9]
  static override get result() {
    return result
  }

  static override async handle(
    {core, caller, signal, emit}: Context,
    input: VerbInput<typeof Send>,
  ): Promise<Result> {
    const {task, tab, resume, fresh, timeout: timeoutMs} = input
    const prompt = input.again ? core.deliveries.lastFailed(task) : input.prompt
    const deliveryId = input['delivery-id']
    if (prompt === undefined && deliveryId === undefined)
      fail('usage.invalid', {reason: '--prompt is missing'})
    const sent = await core.deliveries.send({
      task,
      text: prompt,
      tab,
      resume,
      fresh,
      deliveryId,
      by: caller.by,
      shell: caller.shell,
      wait: input.wait,
      queued: id => emit({type: 'committed', flags: {'delivery-id': id}}),
    })
    if (sent.warning) await emit({type: 'note', text: `termic: ${sent.warning}`})
    const wait = input.wait
      ? await core.waits.untilSettled(task, sent.delivery.id, {verb: 'send', timeoutMs, signal, emit})
      : undefined
    return {
      taskId: task.id,
      capable: sent.capable,
      delivery: core.deliveries.get(sent.delivery.id) ?? sent.delivery,
      wait,
    }
  }

  static override exit({wait}: Result): number {
    return wait ? outcomeExit[wait.outcome] : 0
  }

  static override render({delivery, wait}: Result): string {
    return wait ? outcomeSentence(wait) : describeDelivery(delivery)
  }
}
