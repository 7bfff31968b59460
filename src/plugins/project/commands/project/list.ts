import {type Context, table, Verb, z} from 'termic/verb'
import {projectResult} from '../../project-result.ts'

const result = z.object({projects: z.array(projectResult)})
type Result = z.infer<typeof result>

/** `termic project list`: the registered repositories. */
export default class ProjectList extends Verb {
  static override summary = 'list the registered projects'
  static override annotations = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }
  static override get result() {
    return result
  }

  static override async handle({core}: Context): Promise<Result> {
    return {projects: core.projects.list().map(project => core.projects.describe(project))}
  }

  static override render({projects}: Result): string {
    if (projects.length === 0) return 'no projects; `termic project add` registers this repository'
    return table(
      ['NAME', 'TASKS', 'BASE', 'PATH'],
      projects.map(({name, tasks, base, root}) => [name, String(tasks), base ?? '-', root]),
    )
  }
}
