import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {readDiff} from '../../../src/core/git/diff.ts'
import {readFacts} from '../../../src/core/git/facts.ts'
import {
  commitAll,
  failure,
  fresh,
  git,
  type MadeTask,
  place,
  repository,
  task,
  write,
} from './repositories.ts'

const clean = {filesChanged: 0, insertions: 0, deletions: 0, untracked: 0}

/** Facts, after it was checked that the diff tells the same numbers. */
async function factsOf(made: Parameters<typeof readFacts>[0]) {
  const facts = await readFacts(made)
  const {filesChanged, insertions, deletions, untracked, truncated} = await readDiff(made)
  assert.equal(
    {...facts.diff, truncated: facts.diff.truncated ?? false},
    {filesChanged, insertions, deletions, untracked, truncated},
  )
  return facts
}

test('a fresh task has changed nothing', async () => {
  const made = await task(await repository())
  assert.equal(await factsOf(made), {
    headRef: 'refs/heads/fix',
    headCommit: made.baseCommit,
    dirty: {changed: 0, untracked: 0},
    diff: clean,
  })
})

test('commits, edits and untracked files count together, ignored ones do not', async () => {
  const made = await task(await repository({'a.txt': '1\n2\n3\n', '.gitignore': '*.log\n'}))
  write(made.path, {'new.txt': 'x\n'})
  await commitAll(made.path, 'work')
  write(made.path, {'a.txt': '1\ntwo\n3\n', 'deep/un.txt': 'a\nb', 'x.log': 'ignored\n'})
  const facts = await factsOf(made)
  assert.equal(facts.dirty, {changed: 1, untracked: 1})
  assert.equal(facts.diff, {filesChanged: 3, insertions: 4, deletions: 1, untracked: 1})
})

test('the base moving on is not the task’s change', async () => {
  const repo = await repository()
  const made = await task(repo)
  write(repo.root, {'theirs.txt': 'x\n'})
  await commitAll(repo.root, 'theirs')
  write(made.path, {'mine.txt': 'x\n'})
  await commitAll(made.path, 'mine')
  assert.equal((await factsOf(made)).diff, {...clean, filesChanged: 1, insertions: 1})
  await git(made.path, 'merge', '-q', '--no-edit', 'main')
  assert.equal((await factsOf(made)).diff, {...clean, filesChanged: 1, insertions: 1})
})

// vibe-kanban#2655, #2984
test('an agent that switched branch or detached HEAD is told as it is', async () => {
  const made = await task(await repository())
  await git(made.path, 'switch', '-q', '-c', 'other')
  assert.is((await factsOf(made)).headRef, 'refs/heads/other')
  await git(made.path, 'switch', '-q', '--detach')
  assert.is((await factsOf(made)).headRef, null)
})

test('a task whose branch was deleted still has facts', async () => {
  const repo = await repository()
  const made = await task(repo)
  write(made.path, {'new.txt': 'x\n'})
  await git(repo.root, 'update-ref', '-d', 'refs/heads/fix')
  const facts = await factsOf(made)
  assert.is(facts.headRef, 'refs/heads/fix')
  assert.is(facts.headCommit, '')
  assert.equal(facts.diff, {...clean, filesChanged: 1, insertions: 1, untracked: 1})
  assert.is(facts.dirty.untracked, 1)
})

test('a base that vanished falls back to the commit that it was', async () => {
  const repo = await repository()
  await git(repo.root, 'branch', 'dev')
  const made = await task(repo, 'fix', 'dev')
  write(made.path, {'new.txt': 'x\n'})
  await git(repo.root, 'branch', '-q', '-D', 'dev')
  assert.equal((await factsOf(made)).diff, {...clean, filesChanged: 1, insertions: 1, untracked: 1})
})

test('unrelated history is compared with the base itself', async () => {
  const made = await task(await repository({'a.txt': 'a\n'}))
  await git(made.path, 'switch', '-q', '--orphan', 'fresh')
  write(made.path, {'b.txt': 'b\n'})
  await commitAll(made.path, 'anew')
  assert.equal((await factsOf(made)).diff, {...clean, filesChanged: 2, insertions: 1, deletions: 1})
})

test('a criss-cross merge, with two merge bases, is no failure', async () => {
  const repo = await repository()
  const made = await task(repo)
  write(made.path, {'mine.txt': 'x\n'})
  const mine = await commitAll(made.path, 'mine')
  write(repo.root, {'theirs.txt': 'x\n'})
  const theirs = await commitAll(repo.root, 'theirs')
  await git(made.path, 'merge', '-q', '--no-edit', theirs)
  await git(repo.root, 'merge', '-q', '--no-edit', mine)
  write(made.path, {'more.txt': 'x\n'})
  await commitAll(made.path, 'more')
  const facts = await factsOf(made)
  assert.ok(facts.diff.filesChanged >= 1)
})

test('a worktree removed by hand is missing, and neither zero nor git’s dump', async () => {
  const made = await task(await repository())
  rmSync(made.path, {recursive: true})
  const sentence = /^task\.missing: the worktree .* of task fix is gone; `termic archive fix`/
  assert.match(await failure(readFacts(made)), sentence)
  assert.match(await failure(readDiff(made)), sentence)
})

test('a link in the worktree’s place shows nothing of where it leads', async () => {
  const made = await task(await repository())
  const elsewhere = fresh('secret')
  write(elsewhere, {'key.txt': 'x'})
  rmSync(made.path, {recursive: true})
  symlinkSync(elsewhere, made.path)
  assert.match(await failure(readFacts(made)), /^task\.missing/)
})

test('a worktree that was moved is found where it is', async () => {
  const repo = await repository()
  const made = await task(repo)
  const path = fresh('moved')
  mkdirSync(join(path, '..'), {recursive: true})
  await git(repo.root, 'worktree', 'move', made.path, path)
  write(path, {'new.txt': 'x\n'})
  const facts = await factsOf(made)
  assert.is(facts.movedTo, path)
  assert.is(facts.dirty.untracked, 1)
})

test('a git directory that points at a place which does not point back moves nothing', async () => {
  const made = await task(await repository())
  const secret = fresh('secret')
  write(secret, {'key.txt': 'x'})
  renameSync(made.path, `${made.path}-old`)
  for (const dotGit of [undefined, 'gitdir: /elsewhere\n']) {
    if (dotGit !== undefined) writeFileSync(join(secret, '.git'), dotGit)
    writeFileSync(join(made.gitDir, 'gitdir'), `${secret}/.git\n`)
    assert.match(await failure(readFacts(made)), /^task\.missing/)
  }
})

test('a failure of git is an error with its reason, never zero', async () => {
  const made = await task(await repository())
  writeFileSync(join(made.gitDir, 'index'), 'garbage, long enough to be read as an index')
  assert.match(
    await failure(readFacts(made)),
    /^git\.failed: git (status|diff) failed: (index file corrupt|bad signature .*)$/,
  )
})

// Kilo-Org#6945, zed#27270
test('100,000 untracked files are counted in bounded time, and said to be cut', async () => {
  // In memory where there is such a place: a busy disk takes a minute to make that many files.
  const fast = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : place, 'untracked-'))
  try {
    await countsHundredThousand(await task(await repository(), 'fix', undefined, join(fast, 'fix')))
  } finally {
    rmSync(fast, {recursive: true, force: true})
  }
})

async function countsHundredThousand(made: MadeTask): Promise<void> {
  for (let directory = 0; directory < 100; directory++) {
    const path = join(made.path, 'node_modules', `${directory}`)
    mkdirSync(path, {recursive: true})
    for (let file = 0; file < 1_000; file++) closeSync(openSync(join(path, `f${file}`), 'w'))
  }
  const startedAt = performance.now()
  const facts = await readFacts(made)
  assert.ok(performance.now() - startedAt < 10_000)
  assert.equal(facts.diff, {...clean, filesChanged: 100_000, untracked: 100_000, truncated: true})
  assert.is(facts.dirty.untracked, 100_000)
  const diff = await readDiff(made, {full: true, limit: 1_000})
  assert.is(diff.files.length, 2_000)
  assert.is(diff.truncated, true)
  assert.is(diff.patch?.length, 1_000)
}

test('a file of 200 MB, untracked or changed, takes bounded time', async () => {
  const made = await task(await repository({'big.bin': Buffer.alloc(10), 'a.txt': 'a\n'}))
  for (const name of ['big.bin', 'new.bin', 'text.txt']) {
    const file = openSync(join(made.path, name), 'w')
    if (name === 'text.txt') writeFileSync(file, 'line\n'.repeat(10_000))
    ftruncateSync(file, 200 * 1024 * 1024)
    closeSync(file)
  }
  const startedAt = performance.now()
  const facts = await readFacts(made)
  const diff = await readDiff(made, {full: true})
  // git hashes a changed file whole (1 s of CPU each time), and so does nothing else.
  assert.ok(performance.now() - startedAt < 20_000)
  assert.is(facts.diff.filesChanged, 3)
  assert.ok((diff.patch?.length ?? 0) < 2_000)
})

test('a path with a newline, a quote and no ASCII is no trouble', async () => {
  const made = await task(await repository({'ü\n"x\t.txt': '1\n'}, 'r\n r'))
  write(made.path, {'ü\n"x\t.txt': '1\n2\n', '🚀\n': 'x\n'})
  assert.equal((await factsOf(made)).diff, {...clean, filesChanged: 2, insertions: 2, untracked: 1})
})

test('an agent’s index lock neither stops the facts nor is touched', async () => {
  const made = await task(await repository())
  writeFileSync(join(made.gitDir, 'index.lock'), '')
  write(made.path, {'a.txt': 'changed\n'})
  assert.is((await factsOf(made)).dirty.changed, 1)
})

test('in a main checkout the facts are those of the checkout', async () => {
  const repo = await repository()
  write(repo.root, {'new.txt': 'x\n'})
  const base = await git(repo.root, 'rev-parse', 'HEAD')
  const main = {
    name: 'm',
    path: repo.root,
    gitDir: repo.gitDir,
    base: 'main',
    baseRef: 'refs/heads/main',
    baseCommit: base,
  }
  assert.equal((await factsOf(main)).diff, {...clean, filesChanged: 1, insertions: 1, untracked: 1})
})

test.run()
