import * as z from 'zod'
import {integer, projectFlag, tabSelector, taskArg, toggle} from '../../core/flags.ts'
import {type Context, type Exact, Verb, type VerbInput, type View} from '../../core/verb/verb.ts'

const result = z.object({
  taskId: z.string(),
  pane: z.string(),
  text: z.string(),
  offset: z.int().min(0).describe('raw byte in the log where the text begins'),
  nextOffset: z.int().min(0).describe('where to go on'),
  droppedBefore: z.int().min(0).describe('older output was dropped up to here'),
  eof: z.boolean().describe('the program has ended and this is its last output'),
})
type Result = z.infer<typeof result>

/** `termic log`: the output of a task's agent, as text. */
export default class Log extends Verb {
  static override summary = 'print the output of a task’s agent as plain text (its tail, or from an offset)'
  static override aliases = ['logs']
  static override args = {task: taskArg({access: 'see'})}
  static override flags = {
    lines: integer({
      summary: 'the last so many lines',
      char: 'n',
      min: 1,
      max: 100_000,
      exclusive: ['offset'],
    }),
    offset: integer({summary: 'from this raw byte of the log on', min: 0, max: Number.MAX_SAFE_INTEGER}),
    limit: integer({summary: 'at most so many raw bytes', min: 1, max: 4 * 1024 * 1024, role: 'page'}),
    raw: toggle({summary: 'as the program wrote it, with all control sequences'}),
    follow: toggle({summary: 'go on with new output until the program ends', char: 'f', cliOnly: true}),
    tab: tabSelector(),
    project: projectFlag(),
  }
  static override examples = ['termic log fix-login -n 50', 'termic log fix-login --follow']
  static override scope = 'scoped' as const
  static override annotations = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }
  static override mcp = 'task_log'
  static override get result() {
    return result
  }

  static override async handle({core, emit, signal}: Context, input: VerbInput<typeof Log>): Promise<Result> {
    const {task, tab, lines, offset, limit, raw, follow} = input
    const pane = core.panes.ofTask(task, tab)
    const output = await core.panes.readOutput(pane, {
      lines: lines ?? (offset === undefined ? 200 : undefined),
      offset,
      limitBytes: limit,
      raw,
    })
    if (!follow) return {taskId: task.id, ...output}
    await emit({
      type: 'output',
      text: output.text,
      offset: output.offset,
      next: {offset: String(output.nextOffset)},
    })
    const end = await core.panes.followOutput(pane, output.nextOffset, {
      raw,
      signal,
      take: (text, offset, nextOffset) =>
        emit({type: 'output', text, offset, next: {offset: String(nextOffset)}}),
    })
    return {taskId: task.id, ...output, text: '', offset: end, nextOffset: end, eof: !signal.aborted}
  }

  static override render({text}: Result, _: View, {raw, offset}: VerbInput<typeof Log>): string | Exact {
    // A page must fit the next one, and raw output a terminal.
    return raw || offset !== undefined ? {exact: text} : text
  }
}
