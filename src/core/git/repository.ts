import {statSync} from 'node:fs'
import {realpath} from 'node:fs/promises'
import {basename, dirname, resolve} from 'node:path'
import {fail, TermicError} from '../errors.ts'
import {readGit, runGit} from './run-git.ts'

/** A git repository as seen from one directory. All paths are canonical. */
export interface Repository {
  /** Top of the working tree that the directory is in; the git directory for a bare repository. */
  root: string
  /** The common directory, shared by all worktrees. */
  gitDir: string
  bare: boolean
  /** The directory is in a linked worktree and not in the main checkout. */
  isWorktree: boolean
  /** The main checkout, or the bare repository's directory: what a project is rooted at. */
  mainRoot: string
}

/**
 * Finds the repository of a directory, by one git process (two from a linked worktree of an unusual layout). A submodule is
 * a repository of its own.
 *
 * Throws `project.not-git`; git's own sentence for a repository that it refuses (safe.directory).
 */
export async function openRepository(cwd: string): Promise<Repository> {
  if (!statSync(cwd, {throwIfNoEntry: false})?.isDirectory()) fail('project.not-git', {path: cwd})
  const told = await askAll(cwd)
  const gitDir = await realpath(told.commonDir)
  const isWorktree = (await realpath(told.gitDir)) !== gitDir
  const mainRoot =
    isWorktree || told.root === undefined ? await mainRootOf(gitDir, told.bare) : await realpath(told.root)
  const root = told.root === undefined ? mainRoot : await realpath(told.root)
  // A linked worktree of a repository with a separate git directory: nothing says where the main checkout is.
  if (mainRoot === undefined)
    return {root: root ?? gitDir, gitDir, bare: false, isWorktree, mainRoot: root ?? gitDir}
  return {root: root ?? mainRoot, gitDir, bare: mainRoot === gitDir, isWorktree, mainRoot}
}

interface Told {
  bare: boolean
  gitDir: string
  commonDir: string
  /** Absent in a bare repository and inside a git directory. */
  root: string | undefined
}

const questions = ['--absolute-git-dir', '--git-common-dir', '--show-toplevel'] as const

async function askAll(cwd: string): Promise<Told> {
  const lines = (await ask(cwd, ['--is-bare-repository', ...questions])).split('\n')
  const bare = lines[0] === 'true'
  if (lines.length <= 1 + questions.length) {
    return {bare, gitDir: lines[1] ?? '', commonDir: lines[2] ?? '', root: lines[3]}
  }
  // A newline in a path makes the lines ambiguous, and rev-parse has no -z: one process for each.
  const [gitDir = '', commonDir = '', root] = await Promise.all(
    questions.map(question => ask(cwd, [question])),
  )
  return {bare, gitDir, commonDir, root: root === '' ? undefined : root}
}

/** The answers that rev-parse printed before it died: `--show-toplevel` is fatal where there is no working tree. */
async function ask(cwd: string, args: readonly string[]): Promise<string> {
  const run = {cwd, kind: 'read', hostile: true} as const
  const {stdout, exit} = await runGit(['rev-parse', '--path-format=absolute', ...args], {
    ...run,
    answers: [128],
  })
  const text = stdout.toString('utf8')
  if (exit === 0 || text !== '' || args[0] === '--show-toplevel') return text.replace(/\n$/, '')
  return refused(cwd)
}

/** Asks again for the reason alone; only the words tell "no repository here" from "a repository that git refuses". */
async function refused(cwd: string): Promise<never> {
  try {
    await runGit(['rev-parse', '--git-dir'], {cwd, kind: 'read', hostile: true})
  } catch (error) {
    // "(or any of the parent directories)", "(or any parent up to mount point /)"; a broken `.git` file names itself instead.
    if (
      error instanceof TermicError &&
      String(error.data.reason).startsWith('not a git repository (or any')
    ) {
      fail('project.not-git', {path: cwd}, error)
    }
    throw error
  }
  return fail('project.not-git', {path: cwd})
}

/** From the common directory alone, since a linked worktree knows no more. Undefined: nothing says. */
async function mainRootOf(gitDir: string, bare: boolean): Promise<string | undefined> {
  if (bare) return gitDir
  // A submodule's git directory is below the parent's, and its `core.worktree` points back; the same after
  // `git --work-tree=… init`.
  const run = {cwd: gitDir, kind: 'read', hostile: true, answers: [1]} as const
  const settings = await readGit(
    ['config', '--file', resolve(gitDir, 'config'), '-z', '--get-regexp', '^core\\.(bare|worktree)$'],
    run,
  )
  const setting = (key: string) =>
    settings
      .split('\0')
      .findLast(line => line.startsWith(`${key}\n`))
      ?.slice(key.length + 1)
  const workTree = setting('core.worktree')
  if (workTree !== undefined) return await realpath(resolve(gitDir, workTree))
  if (setting('core.bare') === 'true') return gitDir
  return basename(gitDir) === '.git' ? dirname(gitDir) : undefined
}
