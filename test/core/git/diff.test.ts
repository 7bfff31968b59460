import {chmodSync, mkdirSync, rmSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {execFile} from '../../../src/core/child-process.ts'
import {type DiffFile, readDiff} from '../../../src/core/git/diff.ts'
import {commitAll, fresh, git, type MadeTask, repository, task, write} from './repositories.ts'

async function filesOf(made: MadeTask): Promise<Record<string, Omit<DiffFile, 'path'>>> {
  const {files} = await readDiff(made)
  return Object.fromEntries(files.map(({path, ...rest}) => [path, rest]))
}

/** The whole patch, page by page. */
async function pages(made: MadeTask, limit: number): Promise<string[]> {
  const all: string[] = []
  for (let offset = 0, eof = false; !eof; ) {
    const page = await readDiff(made, {full: true, offset, limit})
    assert.is(page.offset, offset)
    all.push(page.patch ?? '')
    eof = page.eof ?? true
    assert.ok(eof || (page.nextOffset ?? 0) > offset)
    offset = page.nextOffset ?? 0
  }
  return all
}

test('kinds of change are told apart: added, modified, deleted, renamed, mode, type, binary, untracked', async () => {
  const long = Array.from({length: 30}, (_, index) => `line ${index}\n`).join('')
  const made = await task(
    await repository({
      'mod.txt': 'a\nb\n',
      'del.txt': 'x\n',
      'old.txt': long,
      'run.sh': 's\n',
      link: 'l\n',
      bin: Buffer.from([0, 1]),
    }),
  )
  write(made.path, {
    'mod.txt': 'a\nc\n',
    'new.txt': 'n\n',
    bin: Buffer.from([0, 2]),
    'un.txt': '1\n2',
    'un.bin': Buffer.from([1, 0]),
  })
  rmSync(join(made.path, 'del.txt'))
  await git(made.path, 'mv', 'old.txt', 'moved.txt')
  chmodSync(join(made.path, 'run.sh'), 0o755)
  rmSync(join(made.path, 'link'))
  symlinkSync('mod.txt', join(made.path, 'link'))
  await git(made.path, 'add', 'new.txt')
  symlinkSync('/etc/passwd', join(made.path, 'un.link'))
  const tracked = {binary: false, untracked: false}
  const untracked = {status: 'untracked', untracked: true, binary: false, deletions: 0}
  assert.equal(await filesOf(made), {
    bin: {status: 'modified', binary: true, insertions: null, deletions: null, untracked: false},
    'del.txt': {...tracked, status: 'deleted', insertions: 0, deletions: 1, oldMode: '100644'},
    link: {
      ...tracked,
      status: 'typechange',
      insertions: 1,
      deletions: 1,
      oldMode: '100644',
      newMode: '120000',
    },
    'mod.txt': {...tracked, status: 'modified', insertions: 1, deletions: 1},
    'moved.txt': {...tracked, status: 'renamed', oldPath: 'old.txt', insertions: 0, deletions: 0},
    'new.txt': {...tracked, status: 'added', insertions: 1, deletions: 0, newMode: '100644'},
    'run.sh': {
      ...tracked,
      status: 'modified',
      insertions: 0,
      deletions: 0,
      oldMode: '100644',
      newMode: '100755',
    },
    'un.bin': {...untracked, binary: true, insertions: null, deletions: null, newMode: '100644'},
    'un.link': {...untracked, insertions: 1, newMode: '120000'},
    'un.txt': {...untracked, insertions: 2, newMode: '100644'},
  })
})

test('commits since the base are listed, newest first', async () => {
  const made = await task(await repository())
  const first = await commitAll(made.path, 'first: ünï\n\nbody')
  const second = await commitAll(made.path, 'second')
  const {commits} = await readDiff(made)
  assert.equal(commits, [
    {hash: second, subject: 'second'},
    {hash: first, subject: 'first: ünï'},
  ])
})

test('a file in conflict is marked', async () => {
  const repo = await repository({'a.txt': 'a\n'})
  const made = await task(repo)
  write(made.path, {'a.txt': 'mine\n'})
  await commitAll(made.path, 'mine')
  write(repo.root, {'a.txt': 'theirs\n'})
  await commitAll(repo.root, 'theirs')
  await git(made.path, 'merge', 'main').catch(() => '')
  assert.is((await filesOf(made))['a.txt']?.status, 'unmerged')
})

test('a repository inside the tree is one entry and its files are not read', async () => {
  const made = await task(await repository())
  mkdirSync(join(made.path, 'inner'))
  await git(join(made.path, 'inner'), 'init', '-q')
  write(made.path, {'inner/x.txt': 'x\n'})
  await commitAll(join(made.path, 'inner'), 'x')
  assert.equal((await filesOf(made))['inner/'], {
    status: 'untracked',
    binary: true,
    insertions: null,
    deletions: null,
    newMode: '160000',
    untracked: true,
  })
})

test('a pipe and an unreadable place in the tree do not hang', async () => {
  const made = await task(await repository())
  await new Promise(resolve => execFile('mkfifo', [join(made.path, 'pipe')], resolve))
  write(made.path, {'x.txt': 'x\n'})
  assert.ok((await filesOf(made))['x.txt'])
})

test('the patch applies and makes the same tree, untracked files included', async () => {
  const repo = await repository({'a b.txt': '1\n2\n', 'gone.txt': 'x\n', 'ünï.txt': 'x\n'})
  const made = await task(repo)
  write(made.path, {
    'a b.txt': '1\nzwei\n',
    'ünï.txt': 'ÿ\n',
    'un/tracked.txt': 'ä\nb',
    'sp ace.txt': 'x\n',
    empty: '',
    'q"\\\n\t.txt': 'q\n',
    'é.txt': 'é\n',
  })
  rmSync(join(made.path, 'gone.txt'))
  symlinkSync('a b.txt', join(made.path, 'li nk'))
  chmodSync(join(made.path, 'sp ace.txt'), 0o755)
  const {patch = '', eof} = await readDiff(made, {full: true})
  assert.is(eof, true)
  const other = fresh('other')
  await git(repo.root, 'worktree', 'add', '-q', '--detach', other, made.baseCommit)
  const child = execFile('git', ['apply', '--index'], {cwd: other})
  child.stdin?.end(patch)
  assert.is(await new Promise(resolve => child.once('close', resolve)), 0)
  await git(made.path, 'add', '-A')
  assert.is(await git(other, 'write-tree'), await git(made.path, 'write-tree'))
})

test('pages of any size are cut between characters and join to the whole', async () => {
  const made = await task(await repository({'a.txt': 'a\n'}))
  write(made.path, {'a.txt': 'aé日🚀'.repeat(4), 'un.txt': '🚀日é\n'.repeat(3), 'z.txt': 'z\n'})
  const {patch = ''} = await readDiff(made, {full: true})
  for (const limit of [7, 64, 100_000]) {
    const all = await pages(made, limit)
    assert.is(all.join(''), patch)
    assert.not.match(patch, '\ufffd')
  }
})

test('a page beyond the end is empty and says so', async () => {
  const made = await task(await repository())
  write(made.path, {'n.txt': 'x\n'})
  const {patch = ''} = await readDiff(made, {full: true})
  const page = await readDiff(made, {full: true, offset: 1_000_000})
  const {offset, nextOffset, eof} = page
  const length = Buffer.byteLength(patch)
  assert.equal(
    {patch: page.patch, offset, nextOffset, eof},
    {patch: '', offset: length, nextOffset: length, eof: true},
  )
})

test('what the user configured for diffs changes neither numbers nor patch', async () => {
  const repo = await repository({'old.txt': 'a\nb\nc\nd\n', 'x.txt': 'x\n'})
  const made = await task(repo)
  await git(made.path, 'mv', 'old.txt', 'new.txt')
  write(made.path, {'x.txt': 'y\n'})
  const before = await readDiff(made, {full: true})
  for (const [key, value] of [
    ['diff.renames', 'false'],
    ['diff.noprefix', 'true'],
    ['diff.mnemonicPrefix', 'true'],
    ['color.ui', 'always'],
    ['color.diff', 'always'],
    ['status.showUntrackedFiles', 'no'],
    ['diff.external', '/nowhere'],
    ['core.pager', '/nowhere'],
    ['log.showSignature', 'true'],
    ['diff.relative', 'true'],
    ['status.renames', 'copies'],
  ])
    await git(repo.root, 'config', key ?? '', value ?? '')
  assert.equal(await readDiff(made, {full: true}), before)
})

test.run()
