import {statSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {JsonClient} from '../../fixtures/json-client.ts'
import {type Json, PrivateTermic} from '../../fixtures/termic.ts'

const termic = new PrivateTermic()
let client: JsonClient

test.before.each(async () => {
  client = await JsonClient.connect(termic)
})
test.after.each(() => client.destroy())
test.after(() => termic.close())

function ask(message: object): Promise<Json> {
  client.say({id: 'asked', ...message})
  return client.response('asked')
}

test('hello needs no token and tells version, protocol and whether the CLI is enabled, and nothing else', async () => {
  const {version} = await termic.json(['version'])
  assert.equal(await ask({method: 'hello'}), {
    jsonrpc: '2.0',
    id: 'asked',
    result: {version, protocol: 1, cliEnabled: true},
  })
})

test('every other method needs the token, whether it exists or not', async () => {
  for (const method of ['task.list', 'daemon.status', 'daemon.stop', 'no.such.thing', 'constructor']) {
    for (const token of [undefined, '', 'wrong', client.token.slice(0, -1), `${client.token}0`]) {
      client.say({id: `${method} ${token}`, method, token})
      const {error} = await client.response(`${method} ${token}`)
      assert.is(error.code, -32000, `${method} with ${token}`)
      assert.is(error.data.code, 'auth.refused')
      assert.not.match(JSON.stringify(error), client.token)
    }
  }
})

test('a token that is no string is no request', async () => {
  assert.is((await ask({method: 'task.list', token: 7})).error.code, -32600)
})

test('what every object inherits is no method', async () => {
  for (const method of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    const {error} = await client.call(method)
    assert.is(error.code, -32601, method)
    assert.is(error.data.code, 'usage.unknown-verb')
  }
})

test('switched off beats a bad token, and config, hello and the levers of the daemon still answer', async () => {
  await client.result('config.set', {key: 'cli.enabled', value: 'false'})
  try {
    assert.is((await ask({method: 'task.list', token: 'wrong'})).error.data.code, 'cli.disabled')
    assert.is((await client.call('task.list')).error.data.code, 'cli.disabled')
    assert.is((await client.result('hello')).cliEnabled, false)
    assert.is((await client.result('daemon.status')).running, true)
    assert.is((await client.result('config.get', {key: 'cli.enabled'})).setting.value, false)
    client.say({id: 'bad', method: 'config.set', params: {key: 'cli.enabled', value: 'true'}, token: 'wrong'})
    assert.is((await client.response('bad')).error.data.code, 'auth.refused')
  } finally {
    await client.result('config.set', {key: 'cli.enabled', value: 'true'})
  }
  assert.equal((await client.result('task.list')).tasks, [])
})

test('socket and token are for their owner only', () => {
  assert.is(statSync(termic.dataDir).mode & 0o777, 0o700)
  assert.is(statSync(join(termic.dataDir, 'daemon.sock')).mode & 0o777, 0o600)
  assert.is(statSync(join(termic.dataDir, 'cli-token')).mode & 0o777, 0o600)
})

test('a new daemon has a new token, and the old one is refused', async () => {
  const old = client.token
  await termic.json(['daemon', 'restart'])
  client.destroy()
  client = await JsonClient.connect(termic)
  assert.is.not(client.token, old)
  assert.is((await ask({method: 'task.list', token: old})).error.data.code, 'auth.refused')
})

test.run()
