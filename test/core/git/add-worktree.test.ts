import {chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {basename, join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {addWorktree} from '../../../src/core/git/add-worktree.ts'
import {resolveBase} from '../../../src/core/git/base.ts'
import {undoWorktree} from '../../../src/core/git/undo-worktree.ts'
import {commitAll, failure, fresh, git, type MadeRepository, repository, task, write} from './repositories.ts'

async function wanted(made: MadeRepository, branch: string, rest: object = {}) {
  const {commit} = await resolveBase(made)
  return {
    ...made,
    id: `id-${branch.replaceAll('/', '-')}`,
    path: fresh('wt'),
    branch,
    commit,
    newBranch: true,
    ...rest,
  }
}

test('a worktree has the branch, the commit and a git directory in the repository', async () => {
  const made = await repository()
  const want = await wanted(made, 'fix/login')
  const {path, gitDir} = await addWorktree(want)
  assert.is(path, want.path)
  assert.is(await git(path, 'rev-parse', '--absolute-git-dir'), gitDir)
  assert.is(await git(path, 'symbolic-ref', 'HEAD'), 'refs/heads/fix/login')
  assert.is(await git(path, 'rev-parse', 'HEAD'), want.commit)
  assert.is(await git(path, 'status', '--porcelain'), '')
})

// anthropics/claude-code#34645, #47266: 10 of 16 fail with plain git
test('16 at once from a remote-tracking base give 16 worktrees without tracking', async () => {
  const origin = await repository()
  const root = fresh('clone')
  await git(origin.root, 'clone', '-q', origin.root, root)
  await git(root, 'config', 'branch.autoSetupMerge', 'always')
  const made = {root, gitDir: join(root, '.git')}
  const {commit, name} = await resolveBase(made)
  assert.is(name, 'origin/main')
  const paths = Array.from({length: 16}, (_, index) => fresh(`n${index}`))
  await Promise.all(
    paths.map((path, index) =>
      addWorktree({...made, id: `n${index}`, path, branch: `n${index}`, commit, newBranch: true}),
    ),
  )
  for (const path of paths) assert.is(await git(path, 'rev-parse', '--abbrev-ref', 'HEAD'), basename(path))
  assert.not.match(readFileSync(join(made.gitDir, 'config'), 'utf8'), /\[branch "n\d/)
})

test('a branch that exists and is checked out nowhere is taken as it is', async () => {
  const made = await repository()
  await git(made.root, 'switch', '-q', '-c', 'old')
  const tip = await commitAll(made.root, 'old work')
  await git(made.root, 'switch', '-q', 'main')
  const {path} = await addWorktree(await wanted(made, 'old', {newBranch: false}))
  assert.is(await git(path, 'rev-parse', 'HEAD'), tip)
})

test('a branch that is in use, exists or clashes with another is a sentence, and nothing is made', async () => {
  const made = await repository()
  await git(made.root, 'branch', 'feat')
  await git(made.root, 'branch', 'deep/er/est')
  const taken = await task(made, 'taken')
  const told = async (branch: string, rest?: object) => failure(addWorktree(await wanted(made, branch, rest)))
  assert.match(await told('feat'), /^task\.branch-exists: branch feat exists already/)
  assert.match(
    await told('main', {newBranch: false}),
    /^task\.branch-in-use: branch main is checked out at .*repo; choose/,
  )
  assert.match(await told('taken'), new RegExp(`^task\\.branch-in-use: .* at ${taken.path};`))
  assert.match(
    await told('feat/x'),
    /^task\.branch-conflict: branch feat\/x cannot be made, since branch feat exists/,
  )
  assert.match(await told('deep/er'), /^task\.branch-conflict: .* branch deep\/er\/est exists/)
  assert.match(await told('deep'), /^task\.branch-conflict: /)
  assert.is(await git(made.root, 'branch', '--list', 'deep', 'feat/x'), '')
})

test('a branch beside others of the same beginning is no conflict', async () => {
  const made = await repository()
  await git(made.root, 'branch', 'feat/a')
  await git(made.root, 'branch', 'features')
  await task(made, 'feat/b')
  await task(made, 'feat-a/b')
})

test('a place that is taken is left as it is, be it a directory, a file or a link to nowhere', async () => {
  const made = await repository()
  const directory = fresh('full')
  write(directory, {'mine.txt': 'x'})
  const empty = fresh('empty')
  mkdirSync(empty, {recursive: true})
  const link = join(empty, 'link')
  for (const path of [directory, empty, join(directory, 'mine.txt')]) {
    const want = await wanted(made, 'x', {path})
    assert.match(await failure(addWorktree(want)), /^task\.place-taken: the directory .* exists already/)
    await undoWorktree({...want, branchCreated: true})
    assert.ok(existsSync(path))
  }
  symlinkSync('/nowhere', link)
  assert.match(await failure(addWorktree(await wanted(made, 'x', {path: link}))), /^task\.place-taken/)
  assert.is(await git(made.root, 'branch', '--list', 'x'), '')
})

test('the refusal of a second task at one place never takes the first one back', async () => {
  const made = await repository()
  const first = await task(made, 'fix-login')
  const second = {
    ...made,
    id: 'second',
    path: first.path,
    branch: first.branch,
    commit: first.baseCommit,
    newBranch: false,
  }
  assert.match(await failure(addWorktree(second)), /^task\.place-taken/)
  await undoWorktree({...second, branchCreated: true})
  assert.is(await git(first.path, 'rev-parse', '--abbrev-ref', 'HEAD'), 'fix-login')
})

test('an entry whose directory was removed by hand does not keep its place', async () => {
  const made = await repository()
  const gone = await task(made, 'gone')
  rmSync(gone.path, {recursive: true})
  const again = await addWorktree(await wanted(made, 'gone', {path: gone.path, newBranch: false}))
  assert.is(again.path, gone.path)
})

test('no hook of the repository runs, while plain git runs it', async () => {
  const made = await repository({
    '.husky/post-checkout': '#!/bin/sh\ntouch "$(git rev-parse --git-common-dir)/ran"\n',
  })
  await git(made.root, 'config', 'core.hooksPath', '.husky')
  chmodSync(join(made.root, '.husky/post-checkout'), 0o755)
  await commitAll(made.root, 'executable')
  const ran = join(made.gitDir, 'ran')
  await task(made, 'quiet')
  assert.not(existsSync(ran))
  await git(made.root, 'worktree', 'add', '-q', '-b', 'loud', fresh('loud'))
  assert.ok(existsSync(ran))
})

// openai/codex#6135
test('without git-lfs the checkout succeeds and leaves pointers', async () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 3\n`
  const made = await repository({'.gitattributes': '*.bin filter=lfs\n', 'a.bin': pointer})
  for (const [key, value] of [
    ['smudge', 'git-lfs smudge'],
    ['clean', 'git-lfs clean'],
    ['process', 'git-lfs x'],
    ['required', 'true'],
  ])
    await git(made.root, 'config', `filter.lfs.${key}`, value ?? '')
  const {path} = await task(made)
  assert.is(readFileSync(join(path, 'a.bin'), 'utf8'), pointer)
})

test('a filter that fails is an error, and nothing of the worktree is left', async () => {
  const made = await repository({'.gitattributes': '* filter=bad\n'})
  await git(made.root, 'config', 'filter.bad.smudge', 'false')
  await git(made.root, 'config', 'filter.bad.required', 'true')
  const want = await wanted(made, 'x/y')
  assert.match(
    await failure(addWorktree(want)),
    /^git\.failed: git worktree add failed: .*smudge filter bad failed/,
  )
  assert.not(existsSync(want.path))
  assert.is(await git(made.root, 'branch', '--list', 'x/y'), '')
  assert.not(existsSync(join(made.gitDir, 'worktrees')))
})

test('aborted in the middle of the checkout, nothing is left', async () => {
  const made = await repository({'.gitattributes': '* filter=slow\n'})
  const started = fresh('started')
  mkdirSync(join(started, '..'), {recursive: true})
  const abort = new AbortController()
  await git(made.root, 'config', 'filter.slow.smudge', `touch ${started}; exec sleep 60`)
  const want = await wanted(made, 'x', {signal: abort.signal})
  const adding = addWorktree(want)
  await until(() => existsSync(started))
  abort.abort(new Error('enough'))
  try {
    await adding
    assert.unreachable()
  } catch (error) {
    assert.is((error as Error).message, 'enough')
  }
  assert.not(existsSync(want.path))
  assert.not(existsSync(join(made.gitDir, 'worktrees')))
  assert.is(await git(made.root, 'branch', '--list', 'x'), '')
})

test('a time limit ends the whole checkout', async () => {
  const made = await repository({'.gitattributes': '* filter=slow\n'})
  await git(made.root, 'config', 'filter.slow.smudge', 'sleep 60')
  const want = await wanted(made, 'x', {timeoutMs: 100})
  assert.match(
    await failure(addWorktree(want)),
    /^git\.timeout: git worktree add did not finish within 0\.1 s/,
  )
  assert.not(existsSync(want.path))
})

test('works in a bare repository and in a path with spaces and newlines', async () => {
  const made = await repository(undefined, 'a b\nc')
  const bare = fresh('b\na.git')
  await git(made.root, 'clone', '-q', '--bare', made.root, bare)
  for (const repo of [made, {root: bare, gitDir: bare}]) {
    const {path, gitDir} = await addWorktree(await wanted(repo, 'x', {path: fresh('w\n t')}))
    assert.is(await git(path, 'rev-parse', '--absolute-git-dir'), gitDir)
  }
})

test('a place below a link is known by its real path', async () => {
  const made = await repository()
  const real = fresh('real')
  mkdirSync(real, {recursive: true})
  symlinkSync(real, `${real}-link`)
  const {path} = await addWorktree(await wanted(made, 'x', {path: join(`${real}-link`, 'new', 'wt')}))
  assert.is(path, join(real, 'new', 'wt'))
  writeFileSync(join(path, 'x'), '')
})

/** Only for what the product has no event for: a program that git itself started. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setImmediate(resolve))
}

test.run()
