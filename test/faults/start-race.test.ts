import {existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {crashDaemon, daemonsOf, isRunning} from '../fixtures/daemon-process.ts'
import {JsonClient} from '../fixtures/json-client.ts'
import {PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

// vercel-labs/agent-browser#1136: the start race loses.
test('fifty clients that race with no daemon get one daemon and fifty right answers', async () => {
  await using termic = new PrivateTermic()
  const answers = await Promise.all(Array.from({length: 50}, () => termic.run(['list', '--json'])))
  for (const {exit, stdout, stderr} of answers) {
    assert.is(exit, 0, stderr)
    assert.is(stderr, '')
    assert.equal(JSON.parse(stdout).tasks, [])
  }
  await until('the losers have ended', () => daemonsOf(termic).length === 1)
  const log = readFileSync(join(termic.dataDir, 'daemon.log'), 'utf8')
  assert.is(log.match(/ listens /g)?.length, 1, log)
})

// vercel-labs/agent-browser#113; red-skills#1566; Nukesor/pueue#311, #302; mawww/kakoune#1041: a stale socket or pid
// blocks the start.
test('after kill -9 the next verb works, over the stale socket', async () => {
  await using termic = new PrivateTermic()
  await termic.json(['list'])
  const first = await crashDaemon(termic)
  assert.ok(existsSync(join(termic.dataDir, 'daemon.sock')), 'the socket file is still there')
  const refused = await termic.run(['--no-launch', 'list'])
  assert.is(refused.exit, 4)
  assert.match(refused.stderr, /^termic: the termic daemon is not running.*\n$/)
  await termic.json(['list'])
  const second = await termic.daemonPid()
  assert.is.not(second, first)
  assert.is(daemonsOf(termic).length, 1)
})

// tetsuo-ai/agenc-core#2612: the pid in the file was given to another process.
test('what lies about in the data directory neither blocks a start nor is believed', async () => {
  for (const garbage of [
    '1\n',
    `${process.pid}`,
    'SQLite format 3\0 and then nothing of the kind',
    'x'.repeat(70_000),
  ]) {
    await using termic = new PrivateTermic()
    mkdirSync(termic.dataDir, {recursive: true})
    for (const file of ['daemon.lock', 'daemon.pid', 'cli-token', 'daemon.lock-journal'])
      writeFileSync(join(termic.dataDir, file), garbage)
    await termic.json(['list'])
    assert.is(daemonsOf(termic).length, 1)
    assert.ok(isRunning(process.pid))
  }
})

test('a daemon that dies while it is called is called again, since it had begun nothing', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.project()
  assert.is((await termic.run(['daemon', 'stop'])).exit, 0)
  // Takes callers and says nothing, as the kernel does for a process that was killed and still has its socket.
  const dying = createServer(socket => {
    socket.destroy()
    dying.close()
  })
  await new Promise<void>(resolve => dying.listen(join(termic.dataDir, 'daemon.sock'), resolve))
  const {exit, stderr} = await termic.run(['new', 'one'], {cwd: path})
  assert.is(exit, 0, stderr)
  assert.is(stderr, '')
  assert.is((await termic.json(['list'])).tasks.length, 1)
})

test('a socket that another program listens at is replaced, since that one does not hold the lock', async () => {
  await using termic = new PrivateTermic()
  mkdirSync(termic.dataDir, {recursive: true, mode: 0o700})
  let calls = 0
  const foreign = createServer(socket => {
    calls++
    socket.destroy()
  })
  await new Promise<void>(resolve => foreign.listen(join(termic.dataDir, 'daemon.sock'), resolve))
  const refused = await termic.run(['--no-launch', 'list'])
  assert.is(refused.exit, 4, refused.stderr)
  await termic.json(['list'])
  assert.is(calls, 2)
  assert.is(daemonsOf(termic).length, 1)
  // Its end takes the socket's name away, whoever has that now.
  await new Promise(resolve => foreign.close(resolve))
  await termic.json(['list'])
})

test('a socket file that somebody removed is there again soon, and the daemon is the same', async () => {
  await using termic = new PrivateTermic()
  await termic.json(['list'])
  const daemons = daemonsOf(termic)
  const client = await JsonClient.connect(termic)
  await client.result('hello')
  rmSync(join(termic.dataDir, 'daemon.sock'))
  await termic.json(['list'])
  assert.equal(daemonsOf(termic), daemons)
  assert.is((await client.result('hello')).protocol, 1)
  client.destroy()
})

test('what is no socket in the place of the socket stays, and is named', async () => {
  for (const kind of ['directory', 'file']) {
    await using termic = new PrivateTermic()
    const socket = join(termic.dataDir, 'daemon.sock')
    mkdirSync(kind === 'directory' ? socket : termic.dataDir, {recursive: true})
    if (kind === 'file') writeFileSync(socket, 'precious')
    const {exit, stdout, stderr} = await termic.run(['list'])
    assert.is(exit, 4, stderr)
    assert.is(stdout, '')
    assert.match(
      stderr,
      new RegExp(`^termic: the termic daemon would not start: ${socket} cannot be used: .*remove it\\n$`),
    )
    assert.is(statSync(socket).isDirectory(), kind === 'directory')
    if (kind === 'file') assert.is(readFileSync(socket, 'utf8'), 'precious')
  }
})

// Node cuts a longer path at 107 bytes and listens under another name.
test('a socket path of 120 characters is refused in one sentence that names the limit', async () => {
  await using termic = new PrivateTermic()
  const long = join(termic.place, 'x'.repeat(120))
  for (const env of [{TERMIC_SOCKET: long}, {TERMIC_DATA_DIR: long}]) {
    for (const argv of [['list'], ['daemon', 'status'], ['daemon', 'start']]) {
      const {exit, stdout, stderr} = await termic.run(argv, {env})
      assert.is(exit, 4, stderr)
      assert.is(stdout, '')
      assert.match(stderr, /^termic: the socket path .* is \d+ bytes long and the limit is 103; .*\n$/)
    }
    const {error} = JSON.parse((await termic.run(['list', '--json'], {env})).stdout)
    assert.is(error.code, 'socket.path-too-long')
  }
})

test('a data directory in which no pane could have its socket is refused at once', async () => {
  await using termic = new PrivateTermic()
  const room = 103 - '/daemon.sock'.length - termic.place.length - 1
  const dataDir = join(termic.place, 'y'.repeat(room))
  const {exit, stderr} = await termic.run(['list'], {env: {TERMIC_DATA_DIR: dataDir}})
  assert.is(exit, 4)
  assert.match(stderr, /^termic: the socket path .*\/host\.sock is \d+ bytes long/)
})

test.run()
