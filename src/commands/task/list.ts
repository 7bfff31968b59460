import * as z from 'zod'
import {choice, projectFlag, toggle} from '../../core/flags.ts'
import {taskSummary} from '../../core/results.ts'
import {diffCell} from '../../core/task/diff-cell.ts'
import {stateText} from '../../core/task/state-text.ts'
import {table} from '../../core/text/table.ts'
import {type Context, Verb, type VerbInput, type View} from '../../core/verb/verb.ts'

const result = z.object({tasks: z.array(taskSummary)})
type Result = z.infer<typeof result>

/** Facts of git that old are good enough for an overview; `--fresh` asks git again. */
const listMaxAgeMs = 5_000

/** `termic list`: all live tasks. */
export default class List extends Verb {
  static override summary = 'list the tasks with live state and diff counts'
  static override aliases = ['ls']
  static override flags = {
    quiet: toggle({summary: 'print ids only', char: 'q'}),
    project: projectFlag('only tasks of this project'),
    state: choice({
      summary: 'only tasks in this state',
      options: ['starting', 'working', 'waiting', 'done', 'idle', 'exited', 'lost', 'unknown', 'inactive'],
    }),
    fresh: toggle({summary: 'ask git again instead of taking facts a few seconds old'}),
  }
  static override examples = ['termic list', 'termic list -q --state waiting']
  static override annotations = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }
  static override get result() {
    return result
  }

  static override async handle(
    {core}: Context,
    {project, state, fresh, quiet}: VerbInput<typeof List>,
  ): Promise<Result> {
    const tasks = core.tasks.list({project, state})
    if (quiet) return {tasks: tasks.map(task => core.tasks.knownSummary(task))}
    const maxAgeMs = fresh ? 0 : listMaxAgeMs
    return {tasks: await Promise.all(tasks.map(task => core.tasks.summary(task, {maxAgeMs})))}
  }

  static override render({tasks}: Result, view: View, {quiet}: VerbInput<typeof List>): string {
    if (quiet) return tasks.map(({id}) => id).join('\n')
    if (tasks.length === 0) return 'no tasks; `termic new NAME -p "…"` makes one'
    const rows = tasks.map(task => [
      task.project,
      task.name,
      task.agent,
      stateText(task, view),
      diffCell(task),
      task.branch,
    ])
    return table(['PROJECT', 'TASK', 'AGENT', 'STATE', 'DIFF', 'BRANCH'], rows)
  }
}
