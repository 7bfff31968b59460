import * as z from 'zod'
import {table} from '../core/text/table.ts'
import {type Context, Verb} from '../core/verb/verb.ts'

const agent = z.object({
  id: z.string(),
  summary: z.string(),
  installed: z.string().nullable().describe('path of its program, null: not found'),
  version: z.string().nullable().describe('null: unknown'),
  usable: z.boolean(),
  signal: z.string().describe('what tells that it has finished'),
  confidence: z.enum(['exact', 'heuristic', 'none']),
  default: z.boolean(),
})
const result = z.object({agents: z.array(agent)})
type Result = z.infer<typeof result>

/** `termic agents`: which agents there are. */
export default class Agents extends Verb {
  static override summary = 'list the agents: installed, usable, and how their end is known'
  static override scope = 'scoped' as const
  static override annotations = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }
  static override mcp = 'task_agents'
  static override get result() {
    return result
  }

  static override async handle({core, caller}: Context): Promise<Result> {
    return {agents: await core.agents.list(caller.shell?.env)}
  }

  static override render({agents}: Result): string {
    const rows = agents.map(agent => [
      agent.default ? `${agent.id} *` : agent.id,
      agent.installed ?? '-',
      agent.version ?? '-',
      agent.usable ? 'yes' : 'no',
      `${agent.signal} (${agent.confidence})`,
      agent.summary,
    ])
    return table(['ID', 'INSTALLED', 'VERSION', 'USABLE', 'SIGNAL', 'WHAT'], rows)
  }
}
