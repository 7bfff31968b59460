import {chmodSync, cpSync, existsSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {readDiff} from '../../../src/core/git/diff.ts'
import {readFacts} from '../../../src/core/git/facts.ts'
import {removeWorktree} from '../../../src/core/git/remove-worktree.ts'
import {unsavedWork} from '../../../src/core/git/unsaved-work.ts'
import {commitAll, fresh, git, type MadeTask, repository, task, write} from './repositories.ts'

/** A repository, a task in it, and a program that leaves a trace when something runs it. */
async function planted() {
  const repo = await repository({'a.txt': 'a\n'})
  const made = await task(repo)
  const trace = fresh('trace')
  const program = fresh('program')
  write(join(program, '..'), {
    program: `#!/bin/sh\nmkdir -p "$(dirname '${trace}')"\ntouch '${trace}'\ncat "$1" 2>/dev/null\n`,
  })
  chmodSync(program, 0o755)
  write(made.path, {'a.txt': 'changed\n', 'new.txt': 'x\n'})
  const ran = () => {
    const was = existsSync(trace)
    rmSync(trace, {force: true})
    return was
  }
  return {repo, made, program, ran}
}

/** All that the daemon does with a tree on its own. */
async function everything(made: MadeTask): Promise<void> {
  await readFacts(made)
  await readDiff(made, {full: true})
  await unsavedWork(made)
}

test('core.fsmonitor does not run, while plain git runs it', async () => {
  const {repo, made, program, ran} = await planted()
  await git(repo.root, 'config', 'core.fsmonitor', program)
  await everything(made)
  assert.not(ran())
  await git(made.path, 'status')
  assert.ok(ran())
})

test('textconv and external diff do not run, while plain git runs them', async () => {
  for (const key of ['diff.x.textconv', 'diff.x.command', 'diff.external']) {
    const {repo, made, program, ran} = await planted()
    write(made.path, {'.gitattributes': '* diff=x\n'})
    await git(repo.root, 'config', key, program)
    await everything(made)
    assert.not(ran(), key)
    await git(made.path, 'diff')
    assert.ok(ran(), key)
  }
})

test('hooks do not run, while plain git runs them', async () => {
  const {repo, made, program, ran} = await planted()
  for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout', 'fsmonitor-watchman'])
    cpSync(program, join(repo.gitDir, 'hooks', hook))
  await everything(made)
  await task(repo, 'second')
  assert.not(ran())
  await git(made.path, 'status')
  await git(made.path, 'commit', '-q', '-a', '-m', 'x').catch(() => '')
  assert.ok(ran())
})

test('a gpg program does not run for the log, while plain git runs it', async () => {
  const {repo, made, program, ran} = await planted()
  await commitAll(made.path, 'x')
  const signed = (await git(made.path, 'cat-file', 'commit', 'HEAD')).replace(
    '\n\n',
    '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n',
  )
  const file = fresh('commit')
  write(join(file, '..'), {commit: `${signed}\n`})
  const hash = await git(made.path, 'hash-object', '-t', 'commit', '-w', file)
  await git(made.path, 'reset', '-q', '--hard', hash)
  await git(repo.root, 'config', 'gpg.program', program)
  await git(repo.root, 'config', 'log.showSignature', 'true')
  await everything(made)
  assert.not(ran())
  await git(made.path, 'log', '-1')
  assert.ok(ran())
})

test('a `.git` replaced by another repository is not read', async () => {
  const {made, repo, program, ran} = await planted()
  rmSync(join(made.path, '.git'))
  await git(made.path, 'init', '-q')
  await git(made.path, 'config', 'core.fsmonitor', program)
  const facts = await readFacts(made)
  assert.is(facts.headCommit, made.baseCommit)
  assert.is(facts.dirty.changed, 1)
  await everything(made)
  assert.not(ran())
  await git(made.path, 'status')
  assert.ok(ran())
  assert.equal(await removeWorktree(made, {loseWork: true}), {kept: made.path})
  assert.ok(existsSync(join(made.path, 'new.txt')))
  assert.is(
    await git(repo.root, 'worktree', 'list', '--porcelain').then(list => list.includes(made.path)),
    false,
  )
})

test('a `commondir` that leads to another repository is not read', async () => {
  const {made, program, ran} = await planted()
  const evil = await repository()
  await git(evil.root, 'config', 'core.fsmonitor', program)
  writeFileSync(join(made.gitDir, 'commondir'), `${evil.gitDir}\n`)
  await everything(made)
  assert.not(ran())
})

test('a repository inside the tree runs nothing, be it a submodule or not', async () => {
  const {made, program, ran} = await planted()
  const inner = join(made.path, 'sub')
  write(inner, {'x.txt': 'x\n'})
  await git(inner, 'init', '-q')
  await commitAll(inner, 'x')
  await git(inner, 'config', 'core.fsmonitor', program)
  await everything(made)
  await git(made.path, 'add', 'sub')
  write(inner, {'x.txt': 'y\n'})
  await everything(made)
  assert.not(ran())
  await git(made.path, 'status')
  assert.ok(ran())
  assert.match(String(await unsavedWork(made)), /submodule sub: it could not be looked into/)
})

test('a partial clone fetches nothing for a diff, while plain git does', async () => {
  const origin = await repository({'a.txt': 'a\n'})
  await git(origin.root, 'config', 'uploadpack.allowFilter', 'true')
  const root = fresh('partial')
  await git(origin.root, 'clone', '-q', '--filter=blob:none', `file://${origin.root}`, root)
  const made = await task({root, gitDir: join(root, '.git')})
  const {program, ran} = await planted()
  write(origin.root, {'a.txt': 'b\n'})
  await commitAll(origin.root, 'two')
  await git(root, 'fetch', '-q')
  await git(made.path, 'update-ref', 'HEAD', 'origin/main')
  await git(root, 'config', 'protocol.ext.allow', 'always')
  await git(root, 'config', 'remote.origin.url', `ext::${program}`)
  const tried = await readDiff({
    ...made,
    baseRef: undefined,
    baseCommit: await git(root, 'rev-parse', 'origin/main'),
  }).then(
    () => 'answered',
    error => String(error.message),
  )
  assert.match(tried, /^git (diff|status) failed/)
  assert.not(ran())
  await git(made.path, 'diff', 'HEAD').catch(() => '')
  assert.ok(ran())
})

test.run()
