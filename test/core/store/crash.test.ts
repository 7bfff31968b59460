import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {openStore} from '../../../src/core/store/open-store.ts'
import {privateDir} from '../../fixtures/private-dir.ts'
import {startProgram} from '../../fixtures/start-program.ts'

function countsAt(path: string) {
  const store = openStore(path)
  const health = store.get('PRAGMA integrity_check')
  const projects = Number(store.get('SELECT count(*) AS count FROM projects')?.count)
  const events = Number(store.get('SELECT count(*) AS count FROM events')?.count)
  store.close()
  assert.equal(health, {integrity_check: 'ok'})
  return {projects, events}
}

// openclaw#77783, agent-of-empires#1207: a kill in the middle of a write took the state with it.
test('SIGKILL in the middle of a transaction leaves what was committed before it', async () => {
  const path = join(privateDir(), 'state.db')
  const writer = startProgram('store-writer.ts', [path, 'half'])
  assert.is(await writer.hear(), 'in the middle')
  await writer.kill()
  assert.equal(countsAt(path), {projects: 1, events: 1})
})

test('SIGKILL at any moment loses nothing that was acknowledged, and never half of a pair', async () => {
  const path = join(privateDir(), 'state.db')
  const writer = startProgram('store-writer.ts', [path])
  assert.is(await writer.hear(), 'ready')
  writer.say('go')
  let acknowledged = 0
  while (acknowledged < 40) acknowledged = Number(await writer.hear())
  await writer.kill()
  const {projects, events} = countsAt(path)
  assert.ok(projects >= acknowledged)
  assert.is(events, projects)
})

test.run()
