import type {Core} from '../core.ts'
import {fail} from '../errors.ts'
import type {LoadedVerb, Parameter} from '../registry/loaded-verb.ts'
import type {Project, Task} from '../task/types.ts'
import type {Caller} from './caller.ts'
import {type Input, isGiven} from './check-input.ts'

/**
 * Replaces every target argument by the thing it names, which `core` (narrowed to the caller) must know. Runs before
 * the handler, so that no verb can forget it.
 */
export function resolveTargets(verb: LoadedVerb, input: Input, caller: Caller, core: Core): Input {
  const resolved: Input = {...input}
  const ofKind = (kind: string) => verb.parameters.filter(parameter => parameter.target?.kind === kind)

  let project: Project | undefined
  for (const {name} of ofKind('project')) {
    if (typeof input[name] === 'string') resolved[name] = project = core.projects.resolve(input[name])
  }
  for (const parameter of ofKind('task')) {
    if (isGiven(input[parameter.name]))
      resolved[parameter.name] = named(parameter, input[parameter.name], project, core)
    else if (parameter.target?.fallback === 'cwd')
      resolved[parameter.name] = fromPlace(parameter, input, caller, core)
  }
  return resolved
}

function named(
  {target, multiple}: Parameter,
  value: unknown,
  project: Project | undefined,
  core: Core,
): Task | Task[] {
  const access = target?.access ?? 'act'
  if (!multiple) return core.tasks.resolve(String(value), {access, project})
  const tasks = (value as string[]).map(name => core.tasks.resolve(name, {access, project}))
  return [...new Map(tasks.map(task => [task.id, task])).values()]
}

function fromPlace({target, multiple}: Parameter, input: Input, caller: Caller, core: Core): Task | Task[] {
  if (isProjectAlone(input)) fail('usage.invalid', {reason: '--project needs the name of a task'})
  if (!caller.shell) fail('usage.invalid', {reason: '"task" is missing'})
  const task = core.tasks.atPlace(caller.shell, {access: target?.access ?? 'act'})
  return multiple ? [task] : task
}

function isProjectAlone(input: Input): boolean {
  return input.project !== undefined
}
