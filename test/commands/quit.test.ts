import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {PrivateTermic} from '../fixtures/termic.ts'

test('quit ends the terminals of a daemon that had stopped', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.project()
  await termic.json(['new', 'left-alone'], {cwd: path})
  await termic.json(['daemon', 'stop'])
  assert.ok(termic.processes().length > 0)
  const {exit, stdout} = await termic.run(['quit', '--yes'])
  assert.is(exit, 0)
  assert.is(stdout, 'the daemon and 1 terminal ended; tasks and their worktrees are kept\n')
  assert.equal(termic.processes(), [])
})

test('quit starts no daemon where nothing lives', async () => {
  await using termic = new PrivateTermic()
  assert.is((await termic.run(['quit'])).stdout, 'no daemon was running\n')
  const {path} = await termic.project()
  await termic.json(['new', 'ended'], {cwd: path})
  await termic.json(['quit', '--yes'])
  assert.is((await termic.run(['quit'])).stdout, 'no daemon was running\n')
  assert.equal(termic.processes(), [])
})

test.run()
