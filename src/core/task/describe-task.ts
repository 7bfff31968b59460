import type {TaskSummary} from '../results.ts'

/** A task that was just made, as lines for a person. */
export function describeTask({project, name, agent, branch, base, path, id}: TaskSummary): string[] {
  return [
    `created ${project}/${name}`,
    `  agent    ${agent}`,
    `  branch   ${branch} (from ${base})`,
    `  path     ${path}`,
    `  id       ${id}`,
  ]
}
