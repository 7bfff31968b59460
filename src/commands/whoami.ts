import * as z from 'zod'
import {agentState} from '../core/results.ts'
import {type Context, Verb} from '../core/verb/verb.ts'

const result = z.object({
  by: z.string(),
  scope: z.enum(['full', 'scoped']),
  capability: z.string().describe('what this caller may do, in words'),
  task: z.object({id: z.string(), name: z.string(), project: z.string(), path: z.string()}).optional(),
  pane: z.string().optional(),
  children: z.array(z.object({id: z.string(), name: z.string(), project: z.string(), state: agentState})),
})
type Result = z.infer<typeof result>

/** `termic whoami`: who this caller is for termic. */
export default class Whoami extends Verb {
  static override summary =
    'show who you are here: the task and pane you are in, what you may do, the tasks you made'
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

  static override async handle({core, caller}: Context): Promise<Result> {
    const task = core.tasks.ofCaller(caller)
    const pane = task && caller.shell?.env.TERMIC_PANE
    const children = task ? core.tasks.childrenOf(task) : []
    return {
      by: caller.by,
      scope: caller.grant.scope,
      capability:
        caller.grant.scope === 'full'
          ? 'everything: every project, task and setting'
          : 'its own task and the tasks it makes',
      ...(task && {task: {id: task.id, name: task.name, project: task.project, path: task.path}}),
      ...(pane && {pane}),
      children: children.map(child => ({
        id: child.id,
        name: child.name,
        project: child.project,
        state: core.tasks.state(child),
      })),
    }
  }

  static override render({by, capability, task, pane, children}: Result): string {
    const place = task ? `in task ${task.project}/${task.name}${pane ? `, pane ${pane}` : ''}` : 'in no task'
    const made = children.map(child => `  ${child.project}/${child.name}  ${child.state.name}`)
    return [
      `${by}, ${place}`,
      `may do: ${capability}`,
      ...(made.length > 0 ? ['tasks made here:', ...made] : []),
    ].join('\n')
  }
}
