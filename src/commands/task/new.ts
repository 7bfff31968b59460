import * as z from 'zod'
import {fail} from '../../core/errors.ts'
import {choice, duration, freeText, projectFlag, text, textArg, toggle} from '../../core/flags.ts'
import {delivery, taskSummary, waitResult} from '../../core/results.ts'
import {describeTask} from '../../core/task/describe-task.ts'
import {type Context, Verb, type VerbInput} from '../../core/verb/verb.ts'
import {outcomeExit} from '../../core/wait/outcome-exit.ts'
import {outcomeSentence} from '../../core/wait/outcome-sentence.ts'

const result = z.object({task: taskSummary, delivery: delivery.optional(), wait: waitResult.optional()})
type Result = z.infer<typeof result>

/** `termic new`: a worktree, a branch and an agent, and the prompt on its way. */
export default class New extends Verb {
  static override summary =
    'make a task: a worktree on a branch of its own with an agent in it; prints the task'
  static override args = {name: textArg('name of the task and its branch; default: made from the prompt')}
  static override flags = {
    prompt: freeText({summary: 'what to tell the agent first; - reads stdin', char: 'p'}),
    library: text({summary: 'prompt of the library, by id or title', char: 'P', value: 'PROMPT'}),
    agent: text({
      summary: 'agent to run: shell, or one of the settings; default: setting agent',
      value: 'ID',
    }),
    base: text({summary: 'branch, tag or commit to start from; default: the project’s base', value: 'REF'}),
    from: text({summary: 'adopt this worktree instead of making one', value: 'PATH', exclusive: ['base']}),
    sandbox: choice({summary: 'cage to run in', options: ['off', 'monitor', 'enforce-fs', 'enforce']}),
    machine: choice({summary: 'where it runs', options: ['host', 'vm']}),
    project: projectFlag('project to make it in; default: the one of this directory'),
    wait: toggle({summary: 'wait until the prompt has settled'}),
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
    yes: toggle({summary: 'register the repository as a project without asking', char: 'y', cliOnly: true}),
  }
  static override examples = [
    'termic new fix-login -p "npm test"',
    'termic new checks -p - --wait --timeout 10m < checks.sh',
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

  static override async handle(context: Context, input: VerbInput<typeof New>): Promise<Result> {
    refuseWhatComesLater(input)
    const {core, caller, signal, emit} = context
    const {name, prompt, agent, base, timeout: timeoutMs} = input
    const deliveryId = input['delivery-id']
    if (input.wait && prompt === undefined && deliveryId === undefined) {
      fail('usage.invalid', {reason: '--wait needs --prompt, since there is nothing to wait for'})
    }
    const project = input.project ?? (await core.projects.ofCaller(context))
    const made = await core.tasks.create({
      ...{project, name, agent, base, prompt},
      deliveryId,
      wait: input.wait,
      shell: caller.shell,
      by: caller.by,
      step: text => emit({type: 'step', text}),
    })
    const {delivery} = made
    if (delivery) await emit({type: 'committed', flags: {'delivery-id': delivery.id}})
    const wait =
      delivery && input.wait
        ? await core.waits.untilSettled(made.task, delivery.id, {verb: 'new', timeoutMs, signal, emit})
        : undefined
    return {
      // Counts of a worktree that was just made are not worth a walk through it.
      task: core.tasks.knownSummary(made.task),
      delivery: core.deliveries.get(delivery?.id),
      wait,
    }
  }

  static override exit({wait}: Result): number {
    return wait ? outcomeExit[wait.outcome] : 0
  }

  static override render({task, delivery, wait}: Result): string {
    const prompt = delivery && !wait ? [`  prompt   ${delivery.state} (${delivery.id})`] : []
    return [...describeTask(task), ...prompt, ...(wait ? [outcomeSentence(wait)] : [])].join('\n')
  }
}

function refuseWhatComesLater({sandbox, machine, from, library}: VerbInput<typeof New>): void {
  const next = 'leave it out'
  if (sandbox && sandbox !== 'off')
    fail('unsupported', {
      what: `--sandbox ${sandbox}`,
      next: 'only --sandbox off runs; nothing was started uncaged in its place',
    })
  if (machine === 'vm') fail('unsupported', {what: '--machine vm', next})
  if (from) fail('unsupported', {what: '--from', next})
  if (library) fail('unsupported', {what: '-P', next: 'give the text with -p'})
}
