import {connect, type Socket} from 'node:net'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {JsonClient} from '../../fixtures/json-client.ts'
import {PrivateTermic} from '../../fixtures/termic.ts'
import {until} from '../../fixtures/until.ts'

const termic = new PrivateTermic()
let client: JsonClient

test.before(async () => {
  client = await JsonClient.connect(termic)
  await client.result('hello')
})
test.after(async () => {
  client.destroy()
  await termic.close()
})

/** Connections that say nothing. */
function silent(count: number): Socket[] {
  return Array.from({length: count}, () =>
    connect(join(termic.dataDir, 'daemon.sock')).on('error', () => {
      // The daemon takes no more; `closed` tells.
    }),
  )
}

test('connections beyond 512 are closed at once, those that are there go on, and silent ones are let go', async () => {
  const peers = silent(520)
  await until('the last ones were closed', () => peers.filter(({closed}) => closed).length === 520 - 511)
  assert.is((await client.result('hello')).protocol, 1)
  await until('those that never said a word were closed', () => peers.every(({closed}) => closed))
  assert.is((await termic.run(['list'])).exit, 0)
})

test('a peer that never reads its answers holds up nobody else', async () => {
  const deaf = silent(1)[0] as Socket
  deaf.pause()
  const request = `${JSON.stringify({jsonrpc: '2.0', id: 1, method: 'hello', params: {pad: 'x'.repeat(2000)}})}\n`
  for (let sent = 0; sent < 10_000; sent++) deaf.write(request)
  // What the kernel doesn't take stays with the peer, so the daemon has stopped reading it.
  await until('it was stopped', async () => {
    const left = deaf.writableLength
    await client.result('hello')
    return left > 0 && deaf.writableLength === left
  })
  const {residentBytes} = await client.result('daemon.status')
  assert.ok(residentBytes < 300 * 1024 * 1024, `${residentBytes} bytes`)
  deaf.destroy()
  assert.is((await termic.run(['list'])).exit, 0)
})

test('quit without a commit is a preview', async () => {
  for (const params of [undefined, {}, {commit: false}, {commit: 'yes'}]) {
    const preview = await client.result('daemon.quit', params)
    assert.equal(preview, {running: true, quitting: false, tasks: [], panes: 0, working: 0})
  }
  assert.is((await client.result('hello')).protocol, 1)
})

test.run()
