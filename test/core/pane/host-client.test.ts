import {connect, createServer} from 'node:net'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {spawn} from '../../../src/core/child-process.ts'
import {adopt} from '../../../src/core/pane/adopt.ts'
import {encodeFrame} from '../../../src/core/pane/frame.ts'
import {HostClient} from '../../../src/core/pane/host-client.ts'
import {endAllPanes, PaneUnderTest, paneDir, until} from './pane-under-test.ts'

test.after(endAllPanes)

const endOffset = async (pane: PaneUnderTest): Promise<number> =>
  (await pane.host.request('status', {})).endOffset

test('a client that does not read is dropped and slows nobody', async () => {
  const pane = await PaneUnderTest.sh(
    'stty raw -echo; echo ready; read x; head -c 20000000 /dev/zero; read y',
  )
  await pane.says('ready')
  const deaf = connect(join(pane.dir, 'host.sock'))
  deaf.pause()
  const isDropped = new Promise(resolve => deaf.on('close', resolve).on('error', () => {}))
  deaf.write(encodeFrame({id: 1, method: 'watch', afterSeq: 0}))
  deaf.write(encodeFrame({id: 2, method: 'follow'}))
  const question = encodeFrame({id: 3, method: 'status'})
  await pane.input('go', '\n')
  for (let round = 0; round < 20_000; round++) deaf.write(question)
  await until('the flood is through', async () => (await endOffset(pane)) >= 20_000_000)
  deaf.resume()
  await isDropped
})

test('a stopped client costs nothing, and finds everything when it goes on', async () => {
  const pane = await PaneUnderTest.sh('stty raw -echo; echo ready; read x; seq 1 200000; read y; exit 5')
  await pane.says('ready')
  const client = new URL('./watching-client.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--no-warnings', client, pane.dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout?.on('data', piece => {
    said += piece
  })
  const ended = new Promise(resolve => child.on('exit', resolve))
  await until('the client watches', () => said.includes('start'))
  child.kill('SIGSTOP')
  await pane.input('go', '\n')
  await until('the flood is through', async () => (await endOffset(pane)) > 1_288_000)
  child.kill('SIGCONT')
  await pane.input('end', '\n')
  await ended
  assert.match(said, /exit 5/)
})

test('garbage on the socket ends that connection only', async () => {
  const pane = await PaneUnderTest.sh('read x')
  for (const garbage of [
    Buffer.from('\x00\x00\x00\x05nojsn'),
    Buffer.from([255, 255, 255, 255]),
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
  ]) {
    const socket = connect(join(pane.dir, 'host.sock'))
    const closed = new Promise(resolve => socket.on('close', resolve).on('error', () => {}))
    socket.write(garbage)
    await closed
  }
  for (const strange of [null, 7, {id: 1}, {id: 2, method: 'input'}, {id: 3, method: 'dance'}]) {
    const socket = connect(join(pane.dir, 'host.sock'))
    socket.on('error', () => {})
    socket.end(encodeFrame(strange))
  }
  const odd = await HostClient.connect(join(pane.dir, 'host.sock'))
  const refused = await odd.request('dance' as 'status', {}).catch((error: Error) => error.message)
  assert.match(String(refused), 'knows no method dance')
  odd.close()
  assert.is((await pane.host.request('status', {})).pid, pane.pid)
})

test('growth is told at most once in 8 ms, and the last of it always', async () => {
  const pane = await PaneUnderTest.sh('stty raw -echo; echo ready; read x; seq 1 300000; exit')
  await pane.says('ready')
  const told: number[] = []
  pane.host.onGrown(end => told.push(end))
  await pane.host.request('follow', {})
  const startedAt = performance.now()
  await pane.input('go', '\n')
  const {offset} = await pane.exit()
  const elapsedMs = performance.now() - startedAt
  await until('the last growth is told', () => told.at(-1) === offset)
  assert.ok(told.length <= elapsedMs / 8 + 3, `${told.length} in ${elapsedMs} ms`)
})

test('a stopped host is slow, not lost', async () => {
  const pane = await PaneUnderTest.sh('read x')
  process.kill(pane.hostPid, 'SIGSTOP')
  const adoption = await adopt(pane.dir)
  assert.ok('alive' in adoption)
  const answer = adoption.alive.request('status', {})
  process.kill(pane.hostPid, 'SIGCONT')
  assert.is((await answer).pid, pane.pid)
  adoption.alive.close()
})

test('a host that was killed is lost, its log is kept and whoever waits for it is told', async () => {
  const pane = await PaneUnderTest.sh('echo kept; stty raw; echo ready; sleep 1000')
  await pane.says('ready')
  const waiting = pane.input('a', Buffer.alloc(1_000_000)).catch((error: {code: string}) => error.code)
  await pane.entry('the input is begun', entry => entry.type === 'input')
  process.kill(pane.hostPid, 'SIGKILL')
  assert.is(await waiting, 'pane.lost')
  await pane.hostEnds()
  const adoption = await adopt(pane.dir)
  assert.ok('lost' in adoption && adoption.lost?.pid === pane.pid)
  assert.match(await pane.output(), 'kept')
  assert.is(await pane.host.request('status', {}).catch((error: {code: string}) => error.code), 'pane.lost')
})

test('a directory without a pane is lost, and a socket of nobody fails with its reason', async () => {
  const dir = paneDir()
  assert.equal(await adopt(dir), {lost: null})
  const code = await HostClient.connect(join(dir, 'host.sock')).catch((error: {code: string}) => error.code)
  assert.is(code, 'ENOENT')
})

test('a host that answers nonsense costs the connection, not the daemon', async () => {
  const path = join(paneDir(), 'host.sock')
  const server = createServer(socket => void socket.end('\x00\x00\x00\x03{{{'))
  await new Promise<void>(resolve => server.listen(path, resolve))
  const client = await HostClient.connect(path)
  assert.is(await client.request('status', {}).catch((error: {code: string}) => error.code), 'pane.lost')
  server.close()
})

test('a daemon that is killed in a flood loses no byte', async () => {
  const pane = await PaneUnderTest.sh('stty raw -echo; echo ready; read x; seq 1 2000000; read y')
  await pane.says('ready')
  const client = new URL('./watching-client.ts', import.meta.url).pathname
  const child = spawn(process.execPath, ['--no-warnings', client, pane.dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise(resolve => child.on('exit', resolve))
  await new Promise(resolve => child.stdout?.once('data', resolve))
  await pane.input('go', '\n')
  child.kill('SIGKILL')
  await ended
  const expected =
    7 +
    Array.from({length: 7}, (_, digits) => (digits < 6 ? 9 * 10 ** digits : 1_000_001) * (digits + 2)).reduce(
      (sum, bytes) => sum + bytes,
      0,
    )
  await until('the flood is through', async () => (await endOffset(pane)) >= expected - 1)
  const lines = (await pane.output()).split(/\r?\n/)
  assert.equal([lines[0], lines[1], lines[2_000_000], lines.length], ['ready', '1', '2000000', 2_000_002])
})

test.run()
