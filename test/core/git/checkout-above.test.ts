import {mkdirSync, realpathSync, symlinkSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {checkoutAbove} from '../../../src/core/git/checkout-above.ts'
import {fresh, git, place, repository} from './repositories.ts'

test('a checkout is found from its top, from below and through a symbolic link', async () => {
  const {root} = await repository()
  const deep = join(root, 'a/b')
  mkdirSync(deep, {recursive: true})
  const link = join(place, 'link')
  symlinkSync(deep, link)
  const gitDir = join(realpathSync(root), '.git')
  for (const cwd of [root, deep, link]) assert.is(checkoutAbove(cwd), gitDir)
})

test('what only git can tell is left to git: bare repositories, linked worktrees, no repository', async () => {
  const {root} = await repository()
  const bare = join(root, 'vendor.git')
  await git(root, 'init', '-q', '--bare', bare)
  const linked = fresh('linked')
  await git(root, 'worktree', 'add', '-q', '-b', 'other', linked)
  for (const cwd of [bare, join(bare, 'refs'), linked, place, join(root, '.git')]) {
    assert.is(checkoutAbove(cwd), undefined, cwd)
  }
})

test.run()
