import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {resolveBase, taskBase} from '../../../src/core/git/base.ts'
import {
  commitAll,
  emptyRepository,
  failure,
  fresh,
  git,
  type MadeRepository,
  repository,
} from './repositories.ts'

async function cloned(from: MadeRepository): Promise<MadeRepository> {
  const root = fresh('clone')
  await git(from.root, 'clone', '-q', from.root, root)
  return {root, gitDir: `${root}/.git`}
}

const branchOnly = (name: string, commit: string) => ({name, ref: `refs/heads/${name}`, commit})

test('without a remote the base is the local default branch, wherever HEAD is', async () => {
  const made = await repository()
  const main = await git(made.root, 'rev-parse', 'main')
  await git(made.root, 'switch', '-q', '-c', 'other')
  await commitAll(made.root, 'two')
  assert.equal(await resolveBase(made), branchOnly('main', main))
})

test('init.defaultBranch comes before main, and master is known too', async () => {
  const made = await repository()
  const commit = await git(made.root, 'rev-parse', 'main')
  await git(made.root, 'branch', 'trunk')
  await git(made.root, 'config', 'init.defaultBranch', 'trunk')
  assert.equal(await resolveBase(made), branchOnly('trunk', commit))
  await git(made.root, 'config', 'init.defaultBranch', 'none')
  await git(made.root, 'switch', '-q', 'trunk')
  await git(made.root, 'branch', '-m', 'main', 'master')
  assert.equal(await resolveBase(made), branchOnly('master', commit))
})

test('the remote’s HEAD comes before any local branch', async () => {
  const made = await cloned(await repository())
  const remote = await git(made.root, 'rev-parse', 'origin/main')
  await commitAll(made.root, 'ahead')
  assert.equal(await resolveBase(made), {
    name: 'origin/main',
    ref: 'refs/remotes/origin/main',
    commit: remote,
  })
})

test('the HEAD of the only remote counts whatever its name, of several only origin’s', async () => {
  const made = await cloned(await repository())
  await git(made.root, 'remote', 'rename', 'origin', 'upstream')
  await git(made.root, 'remote', 'set-head', 'upstream', 'main')
  assert.is((await resolveBase(made)).name, 'upstream/main')
  await git(made.root, 'remote', 'add', 'fork', (await repository()).root)
  await git(made.root, 'fetch', '-q', 'fork')
  await git(made.root, 'remote', 'set-head', 'fork', 'main')
  assert.is((await resolveBase(made)).name, 'main')
})

test('a typed ref comes first, then the project’s; a project base that vanished is passed over', async () => {
  const made = await repository()
  const commit = await git(made.root, 'rev-parse', 'HEAD')
  await git(made.root, 'branch', 'dev')
  await git(made.root, 'tag', '-a', '-m', 'x', 'v1')
  assert.equal(await resolveBase({...made, base: 'dev'}, 'v1'), {name: 'v1', ref: 'refs/tags/v1', commit})
  assert.equal(await resolveBase({...made, base: 'dev'}), branchOnly('dev', commit))
  assert.equal(await resolveBase({...made, base: 'gone'}), branchOnly('main', commit))
})

test('HEAD is kept as what it names, since in the worktree it is something else', async () => {
  const made = await repository()
  const first = await git(made.root, 'rev-parse', 'HEAD')
  const second = await commitAll(made.root, 'two')
  assert.equal(await resolveBase(made, 'HEAD'), branchOnly('main', second))
  assert.equal(await resolveBase(made, 'HEAD~1'), {name: first, commit: first})
  assert.equal(await resolveBase(made, first.slice(0, 8)), {name: first, commit: first})
})

test('on a detached HEAD without any default branch the base is the commit', async () => {
  const made = await repository()
  const commit = await git(made.root, 'rev-parse', 'HEAD')
  await git(made.root, 'switch', '-q', '--detach')
  await git(made.root, 'branch', '-m', 'main', 'odd')
  assert.equal(await resolveBase(made), {name: commit, commit})
})

for (const typed of [
  'nope',
  '',
  '--all',
  '-x',
  'a b',
  'main..main',
  'x\ny',
  'nul\0',
  'main^{tree}',
  'main:a.txt',
]) {
  test(`a typed base ${JSON.stringify(typed)} names no commit`, async () => {
    const made = await repository()
    assert.match(await failure(resolveBase(made, typed)), /^task\.bad-base: ".*" names no commit in/s)
  })
}

// imbue-ai/mngr#1043, anomalyco/opencode#20910
test('no commits is a sentence with the cure', async () => {
  const made = await emptyRepository()
  assert.match(
    await failure(resolveBase(made)),
    /^task\.no-commits: .* has no commit yet.*git commit --allow-empty/,
  )
})

test('a bare repository has a base', async () => {
  const {root} = await repository()
  const bare = fresh('bare.git')
  await git(root, 'clone', '-q', '--bare', root, bare)
  assert.is((await resolveBase({root: bare, gitDir: bare})).name, 'main')
})

test('a path with a newline is no trouble', async () => {
  const made = await repository(undefined, 'a\nb')
  assert.is((await resolveBase(made)).name, 'main')
})

test('a task’s base is where its ref stands now, and the first commit once the ref is gone', async () => {
  const made = await repository()
  await git(made.root, 'branch', 'dev')
  const {name, ref, commit} = await resolveBase(made, 'dev')
  const stored = {base: name, baseRef: ref, baseCommit: commit}
  await git(made.root, 'switch', '-q', 'dev')
  const moved = await commitAll(made.root, 'two')
  assert.equal(await taskBase(made, stored), branchOnly('dev', moved))
  await git(made.root, 'switch', '-q', 'main')
  await git(made.root, 'branch', '-q', '-D', 'dev')
  assert.equal(await taskBase(made, stored), {name: 'dev', commit})
})

test.run()
