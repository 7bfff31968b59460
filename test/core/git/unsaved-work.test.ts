import {existsSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {unsavedWork} from '../../../src/core/git/unsaved-work.ts'
import {commitAll, failure, git, repository, task, write} from './repositories.ts'

test('a clean tree has none, and ignored files do not count', async () => {
  const made = await task(await repository({'.gitignore': '*.log\n'}))
  write(made.path, {'x.log': 'x'})
  assert.is(await unsavedWork(made), null)
  await commitAll(made.path, 'committed work is on a branch')
  assert.is(await unsavedWork(made), null)
})

test('changed and untracked files are counted and named', async () => {
  const made = await task(await repository({'a.txt': 'a', 'b.txt': 'b'}))
  write(made.path, {'a.txt': 'x', 'b.txt': 'x', 'c.txt': 'x'})
  assert.is(await unsavedWork(made), '2 changed and 1 untracked file: a.txt, b.txt, c.txt')
  write(made.path, {'d.txt': 'x', 'e.txt': 'x'})
  assert.is(await unsavedWork(made), '2 changed and 3 untracked files: a.txt, b.txt, c.txt and 2 more')
})

// Untrivial-ai/agent-orchestrator#1926
test('a single untracked file is enough, even where the user hides them', async () => {
  const repo = await repository()
  const made = await task(repo)
  await git(repo.root, 'config', 'status.showUntrackedFiles', 'no')
  write(made.path, {'only\u202e.txt': 'x'})
  assert.is(await unsavedWork(made), '1 untracked file: "only\u202e.txt"')
})

test('commits on a detached HEAD that no branch has are work', async () => {
  const made = await task(await repository())
  await git(made.path, 'switch', '-q', '--detach')
  assert.is(await unsavedWork(made), null)
  const commit = await commitAll(made.path, 'loose')
  assert.is(await unsavedWork(made), `commits on a detached HEAD that no branch has: ${commit.slice(0, 7)}`)
  await git(made.path, 'branch', 'kept')
  assert.is(await unsavedWork(made), null)
})

test('a worktree deleted by hand has none, except such a commit', async () => {
  const made = await task(await repository())
  await git(made.path, 'switch', '-q', '--detach')
  await commitAll(made.path, 'loose')
  rmSync(made.path, {recursive: true})
  assert.match(String(await unsavedWork(made)), /^commits on a detached HEAD/)
  rmSync(made.gitDir, {recursive: true})
  assert.is(await unsavedWork(made), null)
})

test('a tree that git cannot read is an error, and no permission', async () => {
  const made = await task(await repository())
  rmSync(made.gitDir, {recursive: true})
  assert.ok(existsSync(made.path))
  assert.match(await failure(unsavedWork(made)), /^git\.failed: /)
})

test('work in a filled submodule counts: files, and commits that no remote has', async () => {
  const inner = await repository()
  const repo = await repository()
  await git(repo.root, 'submodule', '--quiet', 'add', inner.root, 'sub')
  await commitAll(repo.root, 'sub')
  const made = await task(repo)
  assert.is(await unsavedWork(made), null)
  await git(made.path, 'submodule', '--quiet', 'update', '--init')
  assert.is(await unsavedWork(made), null)
  write(made.path, {'sub/new.txt': 'x'})
  assert.is(await unsavedWork(made), 'submodule sub: 1 untracked file: new.txt')
  await commitAll(join(made.path, 'sub'), 'inside')
  assert.match(String(await unsavedWork(made)), /submodule sub: 1 commit that no remote has$/)
})

test.run()
