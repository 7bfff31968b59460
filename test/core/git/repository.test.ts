import {mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {openRepository} from '../../../src/core/git/repository.ts'
import {emptyRepository, failure, fresh, git, place, repository, task} from './repositories.ts'

test('a repository is found from its root and from any sub-directory', async () => {
  const {root, gitDir} = await repository({'deep/er/a.txt': 'a'})
  const expected = {root, gitDir, bare: false, isWorktree: false, mainRoot: root}
  assert.equal(await openRepository(root), expected)
  assert.equal(await openRepository(join(root, 'deep/er')), expected)
})

test('a repository without a commit is one', async () => {
  const {root} = await emptyRepository()
  assert.is((await openRepository(root)).mainRoot, root)
})

test('from inside the git directory the main checkout is found', async () => {
  const {root, gitDir} = await repository()
  assert.equal(await openRepository(join(gitDir, 'refs')), {
    root,
    gitDir,
    bare: false,
    isWorktree: false,
    mainRoot: root,
  })
})

test('a linked worktree names its own root and the main checkout', async () => {
  const {root, gitDir} = await repository()
  const path = fresh('linked')
  await git(root, 'worktree', 'add', '-q', path)
  assert.equal(await openRepository(path), {
    root: path,
    gitDir,
    bare: false,
    isWorktree: true,
    mainRoot: root,
  })
})

test('a bare repository is its own root, also seen from a worktree of it', async () => {
  const {root} = await repository()
  const bare = fresh('bare.git')
  await git(root, 'clone', '-q', '--bare', root, bare)
  assert.equal(await openRepository(bare), {
    root: bare,
    gitDir: bare,
    bare: true,
    isWorktree: false,
    mainRoot: bare,
  })
  const path = fresh('of-bare')
  await git(bare, 'worktree', 'add', '-q', path, 'main')
  assert.equal(await openRepository(path), {
    root: path,
    gitDir: bare,
    bare: true,
    isWorktree: true,
    mainRoot: bare,
  })
})

for (const name of ['with space', 'with\nnewline', ' \n\n', 'quote"\\', '-dash', 'ünïcode 🚀']) {
  test(`a directory named ${JSON.stringify(name)} is no trouble`, async () => {
    const {root, gitDir} = await repository(undefined, name)
    assert.equal(await openRepository(root), {root, gitDir, bare: false, isWorktree: false, mainRoot: root})
    const path = fresh(`${name}-linked`)
    await git(root, 'worktree', 'add', '-q', '-b', 'x', path)
    assert.equal(await openRepository(path), {
      root: path,
      gitDir,
      bare: false,
      isWorktree: true,
      mainRoot: root,
    })
    const bare = fresh(name)
    await git(root, 'clone', '-q', '--bare', '--', root, bare)
    assert.equal((await openRepository(bare)).mainRoot, bare)
  })
}

// dagger/container-use#161
test('inside a submodule the submodule is the repository, also from a worktree of the submodule', async () => {
  const inner = await repository()
  const outer = await repository({x: 'x'})
  await git(outer.root, 'submodule', '--quiet', 'add', inner.root, 'sub')
  const root = join(outer.root, 'sub')
  const gitDir = join(outer.gitDir, 'modules/sub')
  assert.equal(await openRepository(root), {root, gitDir, bare: false, isWorktree: false, mainRoot: root})
  const made = await task({root, gitDir})
  assert.equal(await openRepository(made.path), {
    root: made.path,
    gitDir,
    bare: false,
    isWorktree: true,
    mainRoot: root,
  })
})

test('a directory in no repository, and one that is not there, are told in a sentence', async () => {
  const path = fresh('nowhere')
  assert.match(
    await failure(openRepository(path)),
    /^project\.not-git: .*nowhere is not inside a git repository/,
  )
  mkdirSync(path, {recursive: true})
  assert.match(await failure(openRepository(path)), /^project\.not-git: /)
})

test('a `.git` file that leads nowhere is git’s own sentence and not "no repository"', async () => {
  const path = fresh('broken')
  mkdirSync(path, {recursive: true})
  writeFileSync(join(path, '.git'), `gitdir: ${place}/gone\n`)
  assert.match(
    await failure(openRepository(path)),
    /^git\.failed: git rev-parse failed: not a git repository: .*\/gone/,
  )
})

test('a repository that git refuses as another user’s is git’s sentence with its cure', async () => {
  const {root, gitDir} = await repository()
  if (process.getuid?.() !== 0) return
  const {chownSync} = await import('node:fs')
  chownSync(root, 12345, 12345)
  chownSync(gitDir, 12345, 12345)
  const told = await failure(openRepository(root))
  assert.match(told, /^git\.failed: git rev-parse failed: detected dubious ownership in repository at/)
  assert.match(told, /`git config --global --add safe\.directory .*repo`$/)
})

test('the git variables of the caller are not git’s', async () => {
  const {root} = await repository()
  const other = await repository()
  process.env.GIT_DIR = other.gitDir
  process.env.GIT_WORK_TREE = other.root
  try {
    assert.is((await openRepository(root)).root, root)
  } finally {
    delete process.env.GIT_DIR
    delete process.env.GIT_WORK_TREE
  }
})

test('a repository with a separate git directory has the root that one stands in', async () => {
  const root = fresh('sep')
  mkdirSync(root, {recursive: true})
  const gitDir = fresh('separate')
  mkdirSync(join(gitDir, '..'), {recursive: true})
  await git(root, 'init', '-q', `--separate-git-dir=${gitDir}`)
  assert.equal(await openRepository(root), {root, gitDir, bare: false, isWorktree: false, mainRoot: root})
  rmSync(root, {recursive: true})
})

test.run()
