import {chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {removeWorktree} from '../../../src/core/git/remove-worktree.ts'
import {failure, fresh, git, repository, task, write} from './repositories.ts'

test('directory and entry go, the branch stays, and again changes nothing', async () => {
  const repo = await repository()
  const made = await task(repo)
  for (let time = 0; time < 2; time++) {
    await removeWorktree(made)
    assert.not(existsSync(made.path))
    assert.not(existsSync(made.gitDir))
    assert.is(await git(repo.root, 'branch', '--list', 'fix'), '  fix')
  }
})

test('work is not lost unless told so', async () => {
  const made = await task(await repository())
  write(made.path, {'mine.txt': 'x'})
  assert.match(
    await failure(removeWorktree(made)),
    /^task\.unsaved-work: task fix .*1 untracked file: mine\.txt/,
  )
  assert.ok(existsSync(join(made.path, 'mine.txt')))
  await removeWorktree(made, {loseWork: true})
  assert.not(existsSync(made.path))
})

test('links are removed and not followed, read-only directories are no obstacle', async () => {
  const made = await task(await repository())
  const outside = fresh('outside')
  write(outside, {'keep.txt': 'x'})
  symlinkSync(outside, join(made.path, 'link'))
  write(made.path, {'mod/cache/x': 'x'})
  chmodSync(join(made.path, 'mod/cache'), 0o555)
  chmodSync(join(made.path, 'mod'), 0o555)
  await removeWorktree(made, {loseWork: true})
  assert.not(existsSync(made.path))
  assert.ok(existsSync(join(outside, 'keep.txt')))
})

test('a removal that was cut short is finished', async () => {
  const made = await task(await repository())
  renameSync(made.path, join(dirname(made.path), `.${basename(made.path)}.removing`))
  await removeWorktree(made)
  assert.not(existsSync(join(dirname(made.path), `.${basename(made.path)}.removing`)))
  assert.not(existsSync(made.gitDir))
})

test('a directory that took the place of a worktree deleted by hand stays', async () => {
  const made = await task(await repository())
  rmSync(made.path, {recursive: true})
  mkdirSync(made.path)
  await git(made.path, 'init', '-q')
  assert.equal(await removeWorktree(made, {loseWork: true}), {kept: made.path})
  assert.ok(existsSync(join(made.path, '.git')))
})

test('a main checkout is never removed', async () => {
  const repo = await repository()
  const main = {name: 'm', path: repo.root, gitDir: repo.gitDir, base: 'main', baseCommit: ''}
  assert.equal(await removeWorktree(main, {loseWork: true}), {kept: repo.root})
  assert.is(await git(repo.root, 'status', '--porcelain'), '')
})

test('a locked worktree is left alone, with its reason', async () => {
  const repo = await repository()
  const made = await task(repo)
  await git(repo.root, 'worktree', 'lock', '--reason', 'on a stick', made.path)
  assert.match(
    await failure(removeWorktree(made)),
    /^git\.locked: the worktree .* is locked \(on a stick\), so it was left/,
  )
})

test('a moved worktree is removed where it is', async () => {
  const repo = await repository()
  const made = await task(repo)
  const path = fresh('moved')
  mkdirSync(dirname(path), {recursive: true})
  await git(repo.root, 'worktree', 'move', made.path, path)
  await removeWorktree(made)
  assert.not(existsSync(path))
})

test.run()
