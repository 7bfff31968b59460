import {type Context, projectArg, toggle, Verb, type VerbInput, z} from 'termic/verb'

const result = z.object({name: z.string(), root: z.string()})
type Result = z.infer<typeof result>

/** `termic project remove`: forget a repository; its files and branches are not touched. */
export default class ProjectRemove extends Verb {
  static override summary = 'forget a project without live tasks; touches no file and no branch'
  static override args = {project: projectArg({access: 'act'})}
  static override flags = {yes: toggle({summary: 'do not ask', char: 'y', cliOnly: true})}
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
    {core, confirm}: Context,
    {project}: VerbInput<typeof ProjectRemove>,
  ): Promise<Result> {
    core.projects.requireEmpty(project)
    await confirm({text: `forget project ${project.name} (${project.root})?`, flag: 'yes', consent: 'grant'})
    core.projects.remove(project)
    return {name: project.name, root: project.root}
  }

  static override render({name, root}: Result): string {
    return `forgot project ${name}; ${root} was not touched`
  }
}
