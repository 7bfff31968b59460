import {realpathSync} from 'node:fs'
import {fail} from '../errors.ts'
import {isInside} from '../text/is-inside.ts'
import {nameKey} from './names.ts'
import type {Task} from './types.ts'

/**
 * The task that a person means: an exact id first and alone, then a name (any case, within `projectId` when given), then
 * `project/name`. Throws `task.not-found`, `task.ambiguous` with the candidates.
 */
export function resolveTask(tasks: readonly Task[], typed: string, projectId?: string): Task {
  const exact = tasks.find(({id}) => id === typed)
  if (exact) return exact
  const key = nameKey(typed)
  const named = tasks.filter(
    task => nameKey(task.name) === key && (projectId === undefined || task.projectId === projectId),
  )
  const qualified = tasks.filter(task => nameKey(`${task.project}/${task.name}`) === key)
  const found = named.length > 0 ? named : qualified
  const [only] = found
  if (!only) fail('task.not-found', {name: typed})
  if (found.length > 1) {
    const candidates = found.map(({project, name}) => `${project}/${name}`).sort()
    fail('task.ambiguous', {name: typed, candidates: candidates.join(', ')})
  }
  return only
}

/** The task whose worktree a directory is in, the innermost one; undefined when it is in none. */
export function taskAt(tasks: readonly Task[], cwd: string): Task | undefined {
  const place = canonical(cwd)
  return tasks.filter(({path}) => isInside(place, path)).sort((a, b) => b.path.length - a.path.length)[0]
}

function canonical(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // A directory that is gone still has a name.
    return path
  }
}
