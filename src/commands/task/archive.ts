import * as z from 'zod'
import {projectFlag, taskArg, toggle} from '../../core/flags.ts'
import {type Context, Verb, type VerbInput} from '../../core/verb/verb.ts'

const result = z.object({
  taskId: z.string(),
  name: z.string(),
  project: z.string(),
  branch: z.string().describe('kept'),
  endedPanes: z.int().min(0),
  endedProcesses: z.int().min(0),
  remainingProcesses: z.int().min(0).nullable().describe('null: this machine gives no way to know'),
  keptDirectory: z.string().optional().describe('belongs to another repository now and was left'),
})
type Result = z.infer<typeof result>

/** `termic archive`: end a task's agents and remove its worktree; the branch is kept. */
export default class Archive extends Verb {
  static override summary =
    'end a task’s agents and remove its worktree; keeps the branch, refuses to lose work'
  static override args = {task: taskArg({access: 'act', explicit: true})}
  static override flags = {
    project: projectFlag(),
    yes: toggle({summary: 'do not ask', char: 'y', cliOnly: true}),
  }
  static override examples = ['termic archive fix-login']
  static override annotations = {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  }
  static override get result() {
    return result
  }

  static override async handle(
    {core, confirm, emit}: Context,
    {task}: VerbInput<typeof Archive>,
  ): Promise<Result> {
    await core.tasks.requireRemovable(task)
    const live = core.panes.liveOfTask(task)
    const agents =
      live.length === 0
        ? 'no live terminal'
        : `${live.length} live terminal${live.length > 1 ? 's' : ''}, ended first`
    await confirm({
      text: `archive ${task.project}/${task.name} (${agents}; branch ${task.branch} is kept)?`,
      flag: 'yes',
      consent: 'grant',
    })
    return core.tasks.archive(task, {step: text => emit({type: 'step', text})})
  }

  static override render({project, name, endedPanes, branch, remainingProcesses}: Result): string {
    const ended =
      endedPanes === 0 ? 'no terminal was live' : `${endedPanes} terminal${endedPanes > 1 ? 's' : ''} ended`
    const unsure =
      remainingProcesses === null ? '; whether a process escaped cannot be told on this machine' : ''
    return `archived ${project}/${name} (${ended}${unsure}); branch ${branch} is kept`
  }
}
