import {existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {basename, join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {execFile} from '../../../src/core/child-process.ts'
import {addWorktree} from '../../../src/core/git/add-worktree.ts'
import {markBegun} from '../../../src/core/git/making-mark.ts'
import {undoWorktree} from '../../../src/core/git/undo-worktree.ts'
import {commitAll, fresh, git, type MadeRepository, repository, write} from './repositories.ts'

async function begun(made: MadeRepository, branch = 'x') {
  const commit = await git(made.root, 'rev-parse', 'main')
  return {
    ...made,
    id: `id-${branch.replaceAll('/', '-')}`,
    path: fresh('wt'),
    branch,
    commit,
    branchCreated: true,
  }
}

async function leavesNothing(made: MadeRepository, want: {path: string; branch: string}): Promise<void> {
  assert.not(existsSync(want.path))
  assert.not(existsSync(join(made.gitDir, 'worktrees')))
  assert.is(await git(made.root, 'branch', '--list', want.branch), '')
  assert.is(await git(made.root, 'status', '--porcelain'), '')
}

test('a whole worktree is taken back with its branch, and again changes nothing', async () => {
  const made = await repository()
  const want = await begun(made, 'feat/x')
  await addWorktree({...want, newBranch: true})
  write(want.path, {'setup/made/this.txt': 'x'})
  await undoWorktree(want)
  await leavesNothing(made, want)
  await undoWorktree(want)
  await leavesNothing(made, want)
})

test('a branch that moved on, or was there before, stays', async () => {
  const made = await repository()
  const moved = await begun(made, 'moved')
  await addWorktree({...moved, newBranch: true})
  await commitAll(moved.path, 'work')
  await undoWorktree(moved)
  const old = {...(await begun(made, 'old')), branchCreated: false}
  await git(made.root, 'branch', 'old')
  await addWorktree({...old, newBranch: false})
  await undoWorktree(old)
  assert.is(await git(made.root, 'branch', '--list', 'moved', 'old'), '  moved\n  old')
})

test('where nothing was begun nothing is touched', async () => {
  const made = await repository()
  const want = await begun(made)
  await git(made.root, 'worktree', 'add', '-q', '-b', 'x', want.path)
  await undoWorktree(want)
  assert.ok(existsSync(join(want.path, 'a.txt')))
  assert.is(await git(want.path, 'rev-parse', '--abbrev-ref', 'HEAD'), 'x')
})

test('an entry locked as initializing, without a path yet, is cleaned', async () => {
  const made = await repository()
  const want = await begun(made)
  markBegun(made.gitDir, want.id, want.path)
  for (const name of [basename(want.path), `${basename(want.path)}1`])
    write(made.gitDir, {[`worktrees/${name}/locked`]: 'initializing'})
  mkdirSync(want.path, {recursive: true})
  await git(made.root, 'branch', 'x')
  await undoWorktree(want)
  await leavesNothing(made, want)
})

test('entries of others stay: locked for a reason, of another name, or with a path', async () => {
  const made = await repository()
  const want = await begun(made)
  markBegun(made.gitDir, want.id, want.path)
  const other = fresh('wt')
  await git(made.root, 'worktree', 'add', '-q', '-b', 'other', other)
  write(made.gitDir, {'worktrees/wt7/locked': 'on a stick', 'worktrees/else/locked': 'initializing'})
  await undoWorktree(want)
  assert.ok(existsSync(join(made.gitDir, 'worktrees/wt7')))
  assert.ok(existsSync(join(made.gitDir, 'worktrees/else')))
  assert.is(await git(other, 'rev-parse', '--abbrev-ref', 'HEAD'), 'other')
})

test('a directory that no entry names is kept, whatever the mark says', async () => {
  const made = await repository()
  const want = await begun(made)
  markBegun(made.gitDir, want.id, want.path)
  write(want.path, {'mine.txt': 'x'})
  await undoWorktree(want)
  assert.ok(existsSync(join(want.path, 'mine.txt')))
})

test('an undo that was itself cut short is finished by the next', async () => {
  const made = await repository()
  const want = await begun(made)
  await addWorktree({...want, newBranch: true})
  // As after the entry was removed and before the directory was.
  markBegun(made.gitDir, want.id, want.path)
  await git(made.root, 'worktree', 'list')
  const {rm} = await import('node:fs/promises')
  await rm(join(made.gitDir, 'worktrees'), {recursive: true})
  await undoWorktree(want)
  await leavesNothing(made, want)
})

/** `git worktree add` with a checkout that waits until `release` exists, as an orphan of a dead daemon. */
async function halfWay(made: MadeRepository) {
  write(made.root, {'.gitattributes': '*.slow filter=slow\n', 'a.slow': 'x\n', 'z.txt': 'z\n'})
  await commitAll(made.root, 'slow')
  const want = await begun(made)
  const [started, release] = [fresh('started'), fresh('release')]
  for (const path of [started, release]) mkdirSync(join(path, '..'), {recursive: true})
  await git(
    made.root,
    'config',
    'filter.slow.smudge',
    `touch ${started}; while ! test -e ${release}; do sleep 0.01; done; cat`,
  )
  markBegun(made.gitDir, want.id, want.path)
  await git(made.root, 'branch', 'x', want.commit)
  const child = execFile('git', ['worktree', 'add', '-q', '--', want.path, 'x'], {cwd: made.root})
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  while (!existsSync(started)) await new Promise(resolve => setImmediate(resolve))
  return {want, child, ended, release: () => writeFileSync(release, '')}
}

test('a git that still works on it is waited for', async () => {
  const made = await repository()
  const {want, ended, release} = await halfWay(made)
  const undoing = undoWorktree({...want, waitMs: 20_000})
  setImmediate(release)
  await undoing
  await ended
  await leavesNothing(made, want)
})

test('a checkout whose parent alone was killed is waited for too', async () => {
  const made = await repository()
  const {want, child, ended, release} = await halfWay(made)
  child.kill('SIGKILL')
  const undoing = undoWorktree({...want, waitMs: 20_000})
  setImmediate(release)
  await undoing
  await ended
  await leavesNothing(made, want)
})

test('a git that hangs is ended at the limit', async () => {
  const made = await repository()
  const {want, ended, release} = await halfWay(made)
  await undoWorktree({...want, waitMs: 50})
  release()
  await ended
  await leavesNothing(made, want)
})

test.run()
