import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {JsonClient} from '../../fixtures/json-client.ts'
import {PrivateTermic} from '../../fixtures/termic.ts'

const lineLimit = 8 * 1024 * 1024
const termic = new PrivateTermic()
let client: JsonClient

test.before.each(async () => {
  client = await JsonClient.connect(termic)
})
test.after.each(() => client.destroy())
test.after(() => termic.close())

test('a line that is no JSON is answered as a parse error, and the connection goes on', async () => {
  client.say({id: 'before', method: 'hello'})
  client.write('{"jsonrpc": oops\n')
  client.write(Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x0a]))
  client.say({id: 'after', method: 'hello'})
  await client.response('after')
  const errors = client.heard.filter(({error}) => error)
  assert.equal(
    errors.map(({id, error}) => [id, error.code]),
    [
      [null, -32700],
      [null, -32700],
    ],
  )
})

test('a line that is JSON but no request is refused, under its own id where it has one', async () => {
  const lines = [
    'null',
    '7',
    '"text"',
    '[]',
    '{"id":1}',
    '{"jsonrpc":"2.0","id":"x"}',
    '{"jsonrpc":"1.0","id":2,"method":"hello"}',
    '{"jsonrpc":"2.0","id":[],"method":"hello"}',
    '{"jsonrpc":"2.0","id":3,"method":7}',
  ]
  client.say({id: 'before', method: 'hello'})
  client.write(`${lines.join('\n')}\n`)
  client.say({id: 'after', method: 'hello'})
  await client.response('after')
  const errors = client.heard.filter(({error}) => error)
  assert.is(errors.filter(({error}) => error.code === -32600).length, lines.length)
  assert.equal(
    errors.map(({id}) => id),
    [null, null, null, null, 1, 'x', 2, null, 3],
  )
})

test('ids of every kind come back as they are', async () => {
  for (const id of [0, 1, -7, 1.5, 9007199254740991, '', 'a', 'é"\\\n', '1']) {
    client.say({id, method: 'hello'})
    assert.is((await client.response(id)).result.protocol, 1)
  }
})

test('a message without an id is a notification and gets no answer', async () => {
  client.say({method: 'task.list', token: client.token})
  client.say({method: 'no.such.thing'})
  client.say({id: 1, method: 'hello'})
  await client.response(1)
  assert.is(client.heard.length, 1)
})

test('lines may be blank, end in CRLF and come in any pieces', async () => {
  client.say({id: 'first', method: 'hello'})
  await client.response('first')
  client.write('\n\r\n   \n{"jsonrpc":"2.0","id":"crlf","method":"hello"}\r\n')
  await client.response('crlf')
  for (const byte of Buffer.from('{"jsonrpc":"2.0","id":"ü","method":"hello"}\n')) {
    client.write(Uint8Array.of(byte))
    await new Promise(resolve => setImmediate(resolve))
  }
  await client.response('ü')
})

test('an unknown method is named in its error', async () => {
  const {error} = await client.call('task.fly')
  assert.is(error.code, -32601)
  assert.match(error.message, 'task.fly')
  assert.equal(error.data.code, 'usage.unknown-verb')
})

test('what runs in the client is no method', async () => {
  for (const method of ['help', 'version', 'quit', 'daemon.start', 'daemon.restart'])
    assert.is((await client.call(method)).error.code, -32601, method)
})

test('an unknown argument is refused, and the known ones are named', async () => {
  const {error} = await client.call('task.wait', {task: 'x'})
  assert.is(error.code, -32602)
  assert.is(error.data.code, 'usage.invalid')
  assert.match(
    error.message,
    'task.wait has no argument "task"; it has tasks, all, any, project, tab, timeoutMs',
  )
})

test('flags that only a command line can have are no arguments', async () => {
  for (const [method, key] of [
    ['task.log', 'follow'],
    ['task.archive', 'yes'],
    ['task.new', 'yes'],
  ] as const) {
    const {error} = await client.call(method, {task: 'x', [key]: true})
    assert.is(error.code, -32602, `${method} ${key}`)
    assert.match(error.message, 'has no argument')
  }
})

test('params that are no object are refused', async () => {
  for (const params of [null, [], 'x', 7, true]) {
    client.say({id: 'p', method: 'task.list', params, token: client.token})
    const {error} = await client.response('p')
    assert.is(error.code, -32602)
    client.heard.length = 0
  }
})

test('values of the wrong kind are refused by the name that JSON has for them', async () => {
  for (const [method, params, name] of [
    ['task.send', {task: 7, prompt: 'x'}, '"task"'],
    ['task.wait', {tasks: 'one'}, '"tasks"'],
    ['task.wait', {tasks: ['a'], timeoutMs: '5m'}, '"timeoutMs"'],
    ['task.diff', {task: 'a', offset: 1}, '"offset"'],
    ['task.list', {state: 'asleep'}, '"state"'],
    ['config.get', {}, '"key"'],
  ] as const) {
    const {error} = await client.call(method, params)
    assert.is(error.code, -32602, `${method} ${JSON.stringify(params)}`)
    assert.match(error.message, name)
  }
})

test('without a directory to fall back to, the task must be named', async () => {
  for (const method of ['task.status', 'task.send', 'task.wait', 'task.log', 'task.diff', 'task.path']) {
    const {error} = await client.call(method, method === 'task.send' ? {prompt: 'x'} : {})
    assert.is(error.code, -32602, method)
    assert.match(error.message, /"tasks?" is missing/)
  }
})

test('a line of just 8 MiB is read', async () => {
  const empty = JSON.stringify({jsonrpc: '2.0', id: 'big', method: 'hello', params: {pad: ''}})
  client.write(`${empty.replace('""', `"${'x'.repeat(lineLimit - empty.length)}"`)}\n`)
  assert.is((await client.response('big')).result.protocol, 1)
})

test('a longer line is answered with an error, then the connection is closed, and the daemon goes on', async () => {
  client.say({id: 'before', method: 'hello'})
  await client.response('before')
  client.write(Buffer.alloc(3 * lineLimit, 'x'))
  const {error} = await client.hears('the refusal', ({id}) => id === null)
  assert.is(error.code, -32600)
  assert.match(error.message, '8388608')
  await client.closed
  const next = await JsonClient.connect(termic)
  assert.is((await next.call('hello')).result.protocol, 1)
  next.destroy()
})

test.run()
