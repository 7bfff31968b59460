import {existsSync, lstatSync} from 'node:fs'
import {basename, dirname, resolve} from 'node:path'
import {fail} from '../errors.ts'
import type {Task} from '../task/types.ts'
import type {TreePlace} from './git-environment.ts'
import {readSmallFile} from './read-small-file.ts'

/** What git needs to know of a task. */
export type GitTask = Pick<Task, 'name' | 'path' | 'gitDir' | 'base' | 'baseRef' | 'baseCommit'> &
  Pick<TreePlace, 'launcher'>

/**
 * Where a task's worktree is. Its git directory is the one recorded at creation, and `.git` inside the worktree decides
 * nothing: the agent can write that file. A worktree moved by `git worktree move` is found again through its git directory.
 *
 * Throws `task.missing` when it was removed by hand.
 */
export function taskPlace(task: GitTask): TreePlace {
  return taskPlaceIfAny(task) ?? fail('task.missing', {path: task.path, name: task.name})
}

/** `taskPlace`, or undefined for a worktree that was removed by hand. */
export function taskPlaceIfAny(task: GitTask): TreePlace | undefined {
  const path = isDirectory(task.path) ? task.path : movedTo(task.gitDir)
  if (path === undefined) return undefined
  return {path, gitDir: task.gitDir, commonDir: commonDirOf(task.gitDir), launcher: task.launcher}
}

/** `<common>/worktrees/<id>` → `<common>`; a main checkout's git directory is its own common one. */
export function commonDirOf(gitDir: string): string {
  const parent = dirname(gitDir)
  const common = dirname(parent)
  return basename(parent) === 'worktrees' && existsSync(resolve(common, 'objects')) ? common : gitDir
}

/**
 * Both ends have to name each other, so that whoever can write the git directory cannot make termic list, and show in a
 * diff, the files of a directory that is no worktree.
 */
function movedTo(gitDir: string): string | undefined {
  const recorded = readSmallFile(resolve(gitDir, 'gitdir'))
  if (recorded === undefined) return undefined
  const path = dirname(resolve(gitDir, recorded.trimEnd()))
  return isDirectory(path) && worktreeGitDir(path) === gitDir ? path : undefined
}

/** Which git directory the `.git` file of a worktree names; for comparing only, never to be believed. */
export function worktreeGitDir(path: string): string | undefined {
  const named = readSmallFile(resolve(path, '.git'))?.match(/^gitdir: (.*?)\n*$/s)?.[1]
  return named === undefined ? undefined : resolve(path, named)
}

/** A symbolic link in the worktree's place is no worktree: it would show another directory's files. */
function isDirectory(path: string): boolean {
  return lstatSync(path, {throwIfNoEntry: false})?.isDirectory() ?? false
}
