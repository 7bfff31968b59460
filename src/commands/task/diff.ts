import {integer, projectFlag, taskArg, toggle} from '../../core/flags.ts'
import {describeDiff} from '../../core/git/describe-diff.ts'
import {type DiffResult, diffResult} from '../../core/git/diff-result.ts'
import {type Context, type Exact, Verb, type VerbInput} from '../../core/verb/verb.ts'

/** `termic diff`: what a task changed, against the merge base with its base. */
export default class Diff extends Verb {
  static override summary = 'show what a task changed, untracked files included; --full prints the patch'
  static override args = {task: taskArg({access: 'see'})}
  static override flags = {
    full: toggle({summary: 'print the patch'}),
    offset: integer({
      summary: 'start at this byte of the patch',
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      dependsOn: ['full'],
    }),
    limit: integer({
      summary: 'at most so many bytes of the patch',
      min: 1,
      max: 8 * 1024 * 1024,
      role: 'page',
      dependsOn: ['full'],
    }),
    project: projectFlag(),
  }
  static override examples = ['termic diff fix-login', 'termic diff fix-login --full | less']
  static override scope = 'scoped' as const
  static override annotations = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }
  static override get result() {
    return diffResult
  }

  static override async handle(
    {core, signal}: Context,
    {task, full, offset, limit}: VerbInput<typeof Diff>,
  ): Promise<DiffResult> {
    return core.tasks.diff(task, {full, offset, limit, signal})
  }

  static override render(result: DiffResult): string | Exact {
    return result.patch === undefined ? describeDiff(result) : {exact: result.patch}
  }
}
