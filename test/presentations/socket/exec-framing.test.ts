import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {ExecClient} from '../../fixtures/exec-client.ts'
import {PrivateTermic} from '../../fixtures/termic.ts'
import {until} from '../../fixtures/until.ts'

const termic = new PrivateTermic()
let cwd: string
let version: string
let client: ExecClient

test.before(async () => {
  const {path} = await termic.project()
  cwd = path
  await termic.json(['new', 'here'], {cwd})
  ;({version} = await termic.json(['version']))
})
test.before.each(async () => {
  client = await ExecClient.connect(termic)
})
test.after.each(() => client.destroy())
test.after(() => termic.close())

function deliveries(): number {
  return Number(termic.rows('SELECT count(*) AS n FROM deliveries')[0]?.n)
}

test('frames may come in any order and in any pieces before the run', async () => {
  client.say('T', '000').say('A', ['path', 'here']).say('D', cwd).say('H', ['1', version, client.token])
  for (const byte of [0x52, 0, 0, 0, 0]) client.write(Uint8Array.of(byte))
  assert.is(await client.hears('x'), '0')
  assert.match(await client.hears('r'), /\/here\n$/)
  await client.closed
})

test('a run counts once', async () => {
  const before = deliveries()
  client.say('H', ['1', version, client.token]).say('A', ['send', 'here', '-p', 'true'])
  client.write(Uint8Array.of(0x52, 0, 0, 0, 0, 0x52, 0, 0, 0, 0))
  assert.is(await client.hears('x'), '0')
  await client.closed
  assert.is(deliveries(), before + 1)
})

test('without the token nothing is run, and without any frame but the run there is only help', async () => {
  client.say('H', ['1', version, 'wrong']).say('A', ['list']).say('R')
  assert.is(await client.hears('x'), '6')
  assert.match(await client.hears('e'), /^termic: the daemon refused this caller/)
  const silent = await ExecClient.connect(termic)
  silent.say('R')
  assert.is(await silent.hears('q'), 'local\0')
  silent.destroy()
})

test('types that the daemon does not know are passed over', async () => {
  client.say('?', 'from the future').say('H', ['1', version, client.token, 'more']).say('A', ['path', 'here'])
  client.say('!').say('R')
  assert.is(await client.hears('x'), '0')
})

test('a client newer than the daemon is told that the daemon is older, whatever its token', async () => {
  client.say('H', ['1', '999.0.0', 'wrong']).say('A', ['list']).say('R')
  assert.is(await client.hears('v'), version)
  await client.closed
  assert.equal(
    client.heard.map(({type}) => type),
    ['v'],
  )
})

test('a client older than the daemon is told so', async () => {
  client.say('H', ['1', '0.0.1', client.token]).say('A', ['list']).say('R')
  assert.is(await client.hears('x'), '1')
  assert.match(await client.hears('e'), `this termic is 0.0.1 and the running daemon is ${version}`)
})

test('a client of another make, which has no version, is not compared', async () => {
  client.say('H', ['1', '', client.token]).say('A', ['list', '-q']).say('R')
  assert.is(await client.hears('x'), '0')
})

test('a prompt whose stdin was cut off is not sent', async () => {
  const before = deliveries()
  client.say('H', ['1', version, client.token]).say('A', ['send', 'here', '-p', '-']).say('R')
  assert.is(await client.hears('q'), 'stdin\0')
  client.say('I', 'rm -rf ./a').endOfRequests()
  assert.is(await client.hears('x'), '1')
  assert.match(await client.hears('e'), 'cut off')
  assert.is(deliveries(), before)
})

test('so it is when the client is killed', async () => {
  const before = deliveries()
  const sending = termic.start(['send', 'here', '-p', '-'], {cwd, stdin: 'open'})
  sending.write('rm -rf ./a')
  const calls = async () => (await termic.json(['daemon', 'status'])).calls
  await until('the call is under way', async () => (await calls()) > 0)
  sending.signal('SIGKILL')
  await sending.ended
  await until('the call is over', async () => (await calls()) === 0)
  assert.is(deliveries(), before)
})

test('stdin of more than 8 MiB is refused and not kept', async () => {
  const before = deliveries()
  client.say('H', ['1', version, client.token]).say('A', ['send', 'here', '-p', '-']).say('R')
  assert.is(await client.hears('q'), 'stdin\0')
  for (let mebibyte = 0; mebibyte < 20; mebibyte++) client.say('I', Buffer.alloc(1024 * 1024, 'x'))
  client.say('Z')
  assert.is(await client.hears('x'), '1')
  assert.match(await client.hears('e'), 'limit')
  assert.is(deliveries(), before)
})

test('a frame over 8 MiB ends its connection and no other', async () => {
  client.write(Uint8Array.of(0x41, 0x7f, 0xff, 0xff, 0xff))
  await client.closed
  assert.is((await termic.run(['list', '-q'])).exit, 0)
})

test('a question that nobody is left to answer is answered with no terminal', async () => {
  client.say('H', ['1', version, client.token]).say('A', ['archive', 'here']).say('R')
  assert.match(await client.hears('q'), /^confirm\0archive shop\/here /)
  client.endOfRequests()
  assert.is(await client.hears('x'), '1')
  assert.match(await client.hears('e'), '--yes')
})

test.run()
