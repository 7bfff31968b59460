import {fail} from '../errors.ts'
import type {Project, Task} from '../task/types.ts'
import {readGit} from './run-git.ts'

/** What a task starts from and is compared with. */
export interface Base {
  /** The ref's short name (`origin/main`), or the commit itself when no ref was named. */
  name: string
  /** The ref's full name; absent for a plain commit. */
  ref?: string
  commit: string
}

type BaseProject = Pick<Project, 'root' | 'gitDir' | 'base'>

/**
 * The base of a new task, the one answer for every consumer: the typed ref, else the project's base, else the remote's HEAD,
 * else the local default branch, else HEAD of the main checkout. Works with no remote and on a detached HEAD.
 *
 * Throws `task.bad-base` when the typed ref names no commit, `task.no-commits` when there is nothing to start from.
 */
export async function resolveBase(project: BaseProject, typed?: string): Promise<Base> {
  if (typed !== undefined)
    return (await named(project, typed)) ?? fail('task.bad-base', {base: typed, root: project.root})
  const set = project.base === undefined ? undefined : await named(project, project.base)
  return set ?? (await defaultBranch(project)) ?? (await named(project, 'HEAD')) ?? (await nothing(project))
}

/**
 * What a task is compared with now: its base where the ref stands today, or the commit it was made from once that ref is
 * gone (a deleted branch, a removed remote).
 */
export async function taskBase(
  project: BaseProject,
  task: Pick<Task, 'base' | 'baseRef' | 'baseCommit'>,
): Promise<Base> {
  const now = task.baseRef === undefined ? undefined : await named(project, task.baseRef)
  return now ?? {name: task.base, commit: task.baseCommit}
}

/** The commit that a ref or expression names in the main checkout; undefined when it names none. */
async function named(project: BaseProject, typed: string): Promise<Base | undefined> {
  // Not options and no argument that a process cannot be given. A newline would also make the answer ambiguous.
  if (typed === '' || typed.startsWith('-') || hasControl(typed)) return undefined
  const answer = await ask(project, [
    'rev-parse',
    '--revs-only',
    `${typed}^{commit}`,
    '--symbolic-full-name',
    typed,
  ])
  const [commit = '', ref = '', ...more] = answer.split('\n')
  if (!isCommit(commit) || more.length > 0) return undefined
  // HEAD and its kin mean something else in the task's worktree, so what is kept is the branch or the commit.
  return ref.startsWith('refs/') ? {name: shortName(ref), ref, commit} : {name: commit, commit}
}

const defaultNames = ['main', 'master']

async function defaultBranch(project: BaseProject): Promise<Base | undefined> {
  const [refs, configured] = await Promise.all([
    ask(project, [
      'for-each-ref',
      '--format=%(refname) %(objectname) %(symref)',
      'refs/remotes/*/HEAD',
      'refs/heads',
    ]),
    ask(project, ['config', '--get', 'init.defaultBranch'], [1]),
  ])
  const known = refs.split('\n').map(line => line.split(' ') as [string, string, string?])
  const commitOf = (ref: string) => known.find(([name]) => name === ref)?.[1]
  const remoteHeads = known.filter(([name, , target]) => name.startsWith('refs/remotes/') && target !== '')
  const remoteHead = remoteHeads.find(([name]) => name === 'refs/remotes/origin/HEAD') ?? only(remoteHeads)
  if (remoteHead?.[2] !== undefined)
    return {name: shortName(remoteHead[2]), ref: remoteHead[2], commit: remoteHead[1]}
  for (const name of [configured, ...defaultNames]) {
    const ref = `refs/heads/${name}`
    const commit = commitOf(ref)
    if (commit !== undefined) return {name, ref, commit}
  }
  return undefined
}

/** HEAD has no commit; says whether that is because there is none at all. */
async function nothing(project: BaseProject): Promise<never> {
  const any = await ask(project, [
    'for-each-ref',
    '--count=1',
    '--format=%(refname)',
    'refs/heads',
    'refs/remotes',
  ])
  if (any === '') fail('task.no-commits', {root: project.root})
  return fail('task.bad-base', {base: 'HEAD', root: project.root})
}

function ask(project: BaseProject, args: readonly string[], answers?: readonly number[]): Promise<string> {
  return readGit(args, {cwd: project.root, kind: 'read', hostile: true, repository: project.gitDir, answers})
}

function shortName(ref: string): string {
  return ref.replace(/^refs\/(heads|remotes|tags)\//, '')
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined
}

function isCommit(text: string): boolean {
  return /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text)
}

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text)
}
