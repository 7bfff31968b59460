import {type Context, text, textArg, Verb, type VerbInput, z} from 'termic/verb'
import {projectResult} from '../../project-result.ts'

const result = z.object({project: projectResult, added: z.boolean().describe('false: it was one already')})
type Result = z.infer<typeof result>

/** `termic project add`: make a repository known. */
export default class ProjectAdd extends Verb {
  static override summary = 'register a git repository as a project (idempotent); prints it'
  static override args = {path: textArg('any directory of the repository; default: this one', {role: 'path'})}
  static override flags = {
    name: text({summary: 'what to call it; default: the name of its directory'}),
    base: text({summary: 'what its tasks start from; default: found anew each time', value: 'REF'}),
  }
  static override examples = ['termic project add', 'termic project add ~/src/shop --base origin/develop']
  static override annotations = {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }
  static override get result() {
    return result
  }

  static override async handle(
    {core, caller}: Context,
    {path, name, base}: VerbInput<typeof ProjectAdd>,
  ): Promise<Result> {
    const {project, added} = await core.projects.add({
      path: path ?? core.projects.placeOf(caller),
      name,
      base,
    })
    return {project: core.projects.describe(project), added}
  }

  static override render({project, added}: Result): string {
    return `${added ? 'added' : 'there already:'} project ${project.name} (${project.root})`
  }
}
