import {TermicError} from '../errors.ts'
import {type Against, type Change, type Changes, compare} from './compare.ts'
import type {TreePlace} from './git-environment.ts'
import {readGit} from './run-git.ts'
import type {TreeStatus} from './status.ts'
import type {GitTask} from './task-place.ts'

/** More names than this are not given to git one by one. */
const maxPaths = 500
const maxPathBytes = 64 * 1024

/**
 * Which files of a tree had to be looked at last time, by its git directory. Mostly it is the same ones again, so they are
 * looked at while status runs. Only a guess of what to ask: every answer is new.
 */
const lastLookedAt = new Map<string, readonly string[]>()
const rememberedTrees = 500

/**
 * The tracked files that differ from the merge base with the task's base. The index is compared, and of the tree only what
 * `status` says was edited: together with status, comparing the whole tree would look at every file twice.
 */
export async function readChanges(
  tree: TreePlace,
  task: GitTask,
  status: Promise<TreeStatus>,
  signal?: AbortSignal,
): Promise<Changes> {
  const first: Against = {base: task.baseRef ?? task.baseCommit, viaMergeBase: true}
  const guess = lastLookedAt.get(tree.gitDir) ?? []
  const guessing = guess.length === 0 ? undefined : orFailed(compare(tree, first, {paths: guess, signal}))
  const [staged, guessed, {edited, editedPaths}] = await Promise.all([
    readStaged(tree, task, first, signal),
    guessing,
    status,
  ])
  if (edited === 0) return staged
  const paths = pathsToLookAt(staged, editedPaths)
  const isShort = edited === editedPaths.length && isShortList(paths)
  remember(tree.gitDir, isShort ? paths : [])
  if (!isShort) return await compare(tree, staged.against, {signal})
  const known = new Set(guess)
  const isGuessed =
    guessed !== undefined &&
    !isFailed(guessed) &&
    staged.against === first &&
    paths.every(path => known.has(path))
  if (isGuessed) return merged(staged, guessed, guess)
  return merged(staged, await compare(tree, staged.against, {paths, signal}), paths)
}

/** The edited files, and all that was added or deleted: only those can become or cease to be halves of a rename. */
function pathsToLookAt(staged: Changes, edited: readonly string[]): string[] {
  const isSettled = (change: Change) => change.status === 'modified' || change.status === 'typechange'
  const open = staged.list
    .filter(change => !isSettled(change))
    .flatMap(({path, oldPath}) => [path, oldPath ?? path])
  return [...new Set([...edited, ...open])]
}

function merged(staged: Changes, edited: Changes, lookedAt: readonly string[]): Changes {
  const replaced = new Set([...lookedAt, ...edited.list.map(({path}) => path)])
  const list = [...staged.list.filter(({path}) => !replaced.has(path)), ...edited.list]
  list.sort((a, b) => (a.path < b.path ? -1 : 1))
  return {list, against: staged.against, truncated: staged.truncated || edited.truncated}
}

function isShortList(paths: readonly string[]): boolean {
  return paths.length <= maxPaths && paths.reduce((sum, path) => sum + path.length, 0) <= maxPathBytes
}

function remember(gitDir: string, paths: readonly string[]): void {
  lastLookedAt.delete(gitDir)
  if (paths.length > 0) lastLookedAt.set(gitDir, paths)
  const [oldest] = lastLookedAt.keys()
  if (lastLookedAt.size > rememberedTrees && oldest !== undefined) lastLookedAt.delete(oldest)
}

async function readStaged(
  tree: TreePlace,
  task: GitTask,
  first: Against,
  signal?: AbortSignal,
): Promise<Changes> {
  const staged = await orFailed(compare(tree, first, {staged: true, signal}))
  if (!isFailed(staged)) return staged
  const against = await otherWay(tree, task, signal)
  if (against === undefined) throw staged
  return await compare(tree, against, {staged: true, signal})
}

/** A failure of git as a value, where another way is to be tried. */
async function orFailed(work: Promise<Changes>): Promise<Changes | TermicError> {
  try {
    return await work
  } catch (error) {
    if (error instanceof TermicError && error.code === 'git.failed') return error
    throw error
  }
}

function isFailed(result: Changes | TermicError): result is TermicError {
  return result instanceof TermicError
}

/**
 * `git diff --merge-base` fails when the base is gone, when there are two merge bases (a criss-cross merge) and when there
 * is none (unrelated history, or a HEAD without a commit). Undefined: none of these.
 */
async function otherWay(tree: TreePlace, task: GitTask, signal?: AbortSignal): Promise<Against | undefined> {
  const run = {cwd: tree.path, kind: 'read', hostile: true, tree, signal} as const
  const commitOf = (name: string) => readGit(['rev-parse', '--revs-only', `${name}^{commit}`], run)
  const base =
    (task.baseRef === undefined ? '' : await commitOf(task.baseRef)) || (await commitOf(task.baseCommit))
  if (base === '') return undefined
  if ((await commitOf('HEAD')) === '') return {base, viaMergeBase: false}
  const mergeBase = await readGit(['merge-base', base, 'HEAD'], {...run, answers: [1]})
  // Comparing with the merge base itself: git takes its own ancestor as the merge base.
  return mergeBase === '' ? {base, viaMergeBase: false} : {base: mergeBase, viaMergeBase: true}
}
