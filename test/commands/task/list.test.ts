import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {PrivateTermic} from '../../fixtures/termic.ts'
import {until} from '../../fixtures/until.ts'

test('list tells the prompts that wait, and not the one under way', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.project()
  await termic.json(['new', 'busy', '-p', 'read x'], {cwd: path})
  const listed = async () => (await termic.json(['list'])).tasks[0]
  await until('the prompt runs', async () => (await listed()).state.name === 'working')
  assert.is((await listed()).queued, 0)
  assert.match((await termic.run(['list'])).stdout, /busy +shell +working \d+ s +-/)
  await termic.json(['send', 'busy', '-p', 'true'])
  assert.is((await listed()).queued, 1)
  assert.match((await termic.run(['list'])).stdout, /busy +shell +working \d+ s, 1 queued +-/)
})

test('list shows the diff as it was when the turn ended, without --fresh', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.project()
  await termic.json(['new', 'writes'], {cwd: path})
  assert.is((await termic.json(['list'])).tasks[0].diff.value.filesChanged, 0)
  await termic.json(['send', 'writes', '-p', 'echo > new-file', '--wait'])
  assert.is((await termic.json(['list'])).tasks[0].diff.value.filesChanged, 1)
})

test('new and list -q do not ask git for counts: they are unknown until somebody wants them', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.project()
  const {task} = await termic.json(['new', 'quick'], {cwd: path})
  assert.is(task.diff.value, null)
  assert.is((await termic.json(['list', '-q'])).tasks[0].diff.value, null)
  assert.is((await termic.json(['list'])).tasks[0].diff.value.filesChanged, 0)
  assert.is((await termic.json(['list', '-q'])).tasks[0].diff.value.filesChanged, 0)
})

test.run()
