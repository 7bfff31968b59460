import {mkdirSync, mkdtempSync, realpathSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {promisify} from 'node:util'
import {execFile} from '../../../src/core/child-process.ts'
import {TermicError} from '../../../src/core/errors.ts'
import {addWorktree} from '../../../src/core/git/add-worktree.ts'
import {resolveBase} from '../../../src/core/git/base.ts'
import type {GitTask} from '../../../src/core/git/task-place.ts'
import {directoryOf} from '../../../src/core/task/names.ts'

/** Real repositories in the test's own directory, with a HOME of its own: nothing of the machine's git shows. */
export const place = realpathSync(process.env.TEST_PLACE ?? mkdtempSync(join(tmpdir(), 'git-')))
process.env.HOME = join(place, 'home')
process.env.GIT_CONFIG_GLOBAL = join(place, 'home', 'gitconfig')
process.env.GIT_CONFIG_NOSYSTEM = '1'
mkdirSync(process.env.HOME, {recursive: true})
writeFileSync(
  process.env.GIT_CONFIG_GLOBAL,
  '[user]\n\tname = A\n\temail = a@example.org\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n',
)

const run = promisify(execFile)

/** Plain git, as a user or an agent runs it; its output without the last newline. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const {stdout} = await run('git', args, {cwd, maxBuffer: 256 * 1024 * 1024})
  return stdout.replace(/\n$/, '')
}

let count = 0

/** A fresh path below the test's directory; nothing is there yet. */
export function fresh(name: string): string {
  count++
  return join(place, `${count}`, name)
}

export function write(root: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), {recursive: true})
    writeFileSync(join(root, name), content)
  }
}

export interface MadeRepository {
  root: string
  gitDir: string
}

/** A repository without a commit. */
export async function emptyRepository(name = 'repo'): Promise<MadeRepository> {
  const root = fresh(name)
  mkdirSync(root, {recursive: true})
  await git(root, 'init', '-q')
  return {root, gitDir: join(root, '.git')}
}

/** A repository with one commit on main. */
export async function repository(
  files: Readonly<Record<string, string | Buffer>> = {'a.txt': '1\n2\n3\n', 'b.txt': 'b\n'},
  name = 'repo',
): Promise<MadeRepository> {
  const made = await emptyRepository(name)
  write(made.root, files)
  await commitAll(made.root, 'one')
  return made
}

export async function commitAll(root: string, message: string): Promise<string> {
  await git(root, 'add', '-A')
  await git(root, 'commit', '-q', '--allow-empty', '-m', message)
  return await git(root, 'rev-parse', 'HEAD')
}

export interface MadeTask extends GitTask {
  id: string
  branch: string
}

/** A worktree as `termic new` makes it. */
export async function task(
  made: MadeRepository,
  name = 'fix',
  base?: string,
  path = fresh(directoryOf(name)),
): Promise<MadeTask> {
  const from = await resolveBase(made, base)
  const id = `id-${++count}`
  const added = await addWorktree({...made, id, path, branch: name, commit: from.commit, newBranch: true})
  return {id, name, branch: name, ...added, base: from.name, baseRef: from.ref, baseCommit: from.commit}
}

/** The code and sentence of the expected failure that `work` ends in. */
export async function failure(work: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof work === 'function' ? work() : work)
  } catch (error) {
    if (error instanceof TermicError) return `${error.code}: ${error.message}`
    throw error
  }
  throw new Error('it did not fail')
}
