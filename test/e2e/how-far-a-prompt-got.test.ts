import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

test('send to an agent at its prompt says that it was taken; to a busy one, that it is queued', async () => {
  await using termic = new PrivateTermic()
  const {path: cwd} = await termic.project()
  await termic.json(['new', 'fix'], {cwd})
  await until('the shell is at its prompt', async () => {
    return (await termic.json(['status', 'fix'])).task.state.name === 'idle'
  })

  const taken = await termic.json(['send', 'fix', '-p', 'read line'])
  assert.ok(['submitted', 'started'].includes(taken.delivery.state), taken.delivery.state)
  assert.is(taken.delivery.confirmed, 'exact')

  const queued = await termic.json(['send', 'fix', '-p', 'echo two'])
  assert.is(queued.delivery.state, 'queued')
  const {task} = await termic.json(['status', 'fix'])
  assert.equal(
    task.queue.map((one: {id: string}) => one.id),
    [taken.delivery.id, queued.delivery.id],
  )
})

test('a wait tells every event of its task up to the end, and then the result', async () => {
  await using termic = new PrivateTermic()
  const {path: cwd} = await termic.project()
  await termic.json(['new', 'fix'], {cwd})
  const argv = ['send', 'fix', '-p', 'true', '--wait', '--output-format', 'stream-json']
  const {exit, stdout} = await termic.run(argv)
  assert.is(exit, 0, stdout)
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  const result = lines.at(-1).result
  const states = lines.filter(({type}) => type === 'delivery').map(({data}) => data.state)
  assert.is(states.at(-1), 'settled')
  assert.is(result.delivery.state, 'settled')
  assert.equal(lines.filter(({type}) => type === 'result').length, 1)
})

test.run()
