import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import {connect} from 'node:net'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {frame, packList, toDaemon} from '../../src/core/wire/exec-frames.ts'
import {crashDaemon, daemonsOf, hostsOf, untilGone} from '../fixtures/daemon-process.ts'
import {JsonClient} from '../fixtures/json-client.ts'
import {run} from '../fixtures/running.ts'
import {launcher, PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

test('the log is set aside at its limit, and only so many are kept', async () => {
  await using termic = new PrivateTermic()
  mkdirSync(termic.dataDir, {mode: 0o700})
  const log = join(termic.dataDir, 'daemon.log')
  for (let round = 0; round < 5; round++) {
    writeFileSync(log, `${`${round}`.repeat(1024 * 1024)}\n`)
    await termic.json(['list'])
    assert.is((await termic.run(['daemon', 'stop'])).exit, 0)
  }
  const logs = readdirSync(termic.dataDir).filter(name => name.startsWith('daemon.log'))
  assert.equal(logs.sort(), ['daemon.log', 'daemon.log.1', 'daemon.log.2', 'daemon.log.3'])
  assert.ok(statSync(log).size < 10_000)
  assert.match(readFileSync(log, 'utf8'), /stopping: asked to stop/)
})

test('peers that say half a thing, or read nothing of a long answer, hold up nobody else', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.project()
  await termic.json(['new', 'one', '-p', 'seq 1 400000', '--wait'], {cwd: path})
  const socket = join(termic.dataDir, 'daemon.sock')
  const token = readFileSync(join(termic.dataDir, 'cli-token'), 'utf8').trim()
  const call = Buffer.concat([
    frame(toDaemon.hello, packList(['1', '', token])),
    frame(toDaemon.argv, packList(['log', 'one', '--offset', '0', '--follow'])),
    frame(toDaemon.run),
  ])
  const peers = [
    '',
    'H',
    call.subarray(0, 30),
    '{"jsonrpc"',
    '{"jsonrpc":"2.0","id":1,"method":"task.list","params":{',
    call,
  ].map(bytes => {
    const peer = connect(socket)
    peer.on('error', () => {
      // It is let go at the end.
    })
    peer.pause()
    peer.write(bytes)
    return peer
  })
  const client = await JsonClient.connect(termic)
  for (let round = 0; round < 20; round++) assert.is((await client.result('task.list')).tasks.length, 1)
  const {residentBytes} = await client.result('daemon.status')
  assert.ok(residentBytes < 250 * 1024 * 1024, `${residentBytes} bytes`)
  for (const peer of peers) peer.destroy()
  await until('nothing of them is left', async () => (await client.result('daemon.status')).calls === 0)
  client.destroy()
})

// (class) an output flood: memory, and the latency of the other panes.
test('a flood in one pane neither slows the status of another one nor fills the memory', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.project()
  await termic.json(['new', 'quiet', '-p', 'true', '--wait'], {cwd: path})
  await termic.json(['new', 'flood', '-p', 'yes', '--delivery-id', 'flood'], {cwd: path})
  await until(
    'it floods',
    () => termic.rows(`SELECT 1 FROM deliveries WHERE id = 'flood' AND state = 'started'`).length > 0,
  )
  const client = await JsonClient.connect(termic)
  const times: number[] = []
  for (let round = 0; round < 30; round++) {
    const startedAt = performance.now()
    const {task} = await client.result('task.status', {task: 'quiet', maxAgeMs: 60_000})
    times.push(performance.now() - startedAt)
    assert.is(task.state.name, 'done')
  }
  times.sort((a, b) => a - b)
  assert.ok((times[15] ?? 0) < 500, `median of ${times[15]} ms`)
  for (const pid of [...daemonsOf(termic), ...hostsOf(termic)]) {
    const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    assert.ok(kilobytes < 250 * 1024, `${pid} has ${kilobytes} kB`)
  }
  client.destroy()
  const archived = await termic.json(['archive', 'flood', '--yes'])
  assert.is(archived.remainingProcesses, 0)
})

// Soul-Brews-Studio/maw-js#2012; agent-of-empires#1207: a crash in the middle of a write left half a line, which fused with
// the next one or hid all of them.
test('a journal, a record or an inbox that was cut in the middle of a write costs only its last line', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.project()
  const {task} = await termic.json(['new', 'one', '-p', 'echo kept', '--wait'], {cwd: path})
  const pane = join(termic.dataDir, 'panes/1')
  const [host = 0] = hostsOf(termic)
  await crashDaemon(termic)
  process.kill(host, 'SIGKILL')
  await untilGone(host)
  const journal = join(pane, 'journal.ndjson')
  truncateSync(journal, statSync(journal).size - 7)
  writeFileSync(join(pane, 'pane.json.next'), '{"protocol":1,"pa')
  writeFileSync(join(pane, 'inbox.next'), 'half')
  const {tasks} = await termic.json(['list'])
  assert.is(tasks[0].state.name, 'lost')
  assert.match((await termic.run(['log', 'one'])).stdout, /kept/)
  const fresh = await termic.json(['send', 'one', '--fresh', '-p', 'echo more > more', '--wait'])
  assert.is(fresh.wait.outcome, 'done')
  assert.ok(existsSync(join(task.path, 'more')))
})

test('a pane whose directory was removed by hand is lost, and the others go on', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.project()
  await termic.json(['new', 'one', '-p', 'true', '--wait'], {cwd: path})
  const [host = 0] = hostsOf(termic)
  await termic.json(['new', 'two', '-p', 'true', '--wait'], {cwd: path})
  await crashDaemon(termic)
  rmSync(join(termic.dataDir, 'panes/1'), {recursive: true})
  const {tasks} = await termic.json(['list'])
  assert.equal(
    tasks.map(({state}: {state: {name: string}}) => state.name),
    ['lost', 'done'],
  )
  const {exit, stderr} = await termic.run(['log', 'one'])
  assert.is(exit, 1)
  assert.is(stderr.split('\n').length, 2, stderr)
  assert.is((await termic.run(['archive', 'one', '--yes'])).exit, 0)
  await untilGone(host)
})

// (class) permissions: a read-only home, TMPDIR not set.
test('a place for worktrees that cannot be made is a sentence, and leaves nothing', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  const file = join(termic.place, 'file')
  writeFileSync(file, '')
  await termic.json(['config', 'set', 'tasksPath', join(file, 'tasks')])
  const {exit, stdout, stderr} = await termic.run(['new', 'one'], {cwd: repository.path})
  assert.is(exit, 1)
  assert.is(stdout, '')
  assert.match(stderr, /^termic: task one could not be made \(.*\); nothing of it was kept\n$/)
  assert.is(await repository.git('branch', '--format=%(refname:short)'), 'main')
  await termic.json(['config', 'unset', 'tasksPath'])
  await termic.json(['new', 'one'], {cwd: repository.path, env: {TMPDIR: undefined as unknown as string}})
})

test('another user may not use the socket, and is told so', async () => {
  if (process.getuid?.() !== 0) {
    console.log('SKIPPED: only root can become another user')
    return
  }
  await using termic = new PrivateTermic()
  await termic.json(['list'])
  const asNobody = (...argv: string[]) =>
    run('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', '--', ...argv], {
      cwd: '/',
      env: termic.env,
    })
  if ((await asNobody('test', '-r', launcher)).exit !== 0) {
    console.log('SKIPPED: another user cannot read this checkout')
    return
  }
  const {exit, stdout, stderr} = await asNobody(launcher, 'list')
  assert.is(exit, 6, stdout + stderr)
  assert.match(
    stderr,
    /^termic: the socket .* of the termic daemon cannot be used \(permission denied\); check its permissions\n$/,
  )
})

test('a daemon whose lock file is removed gives way, so that there are never two', async () => {
  await using termic = new PrivateTermic()
  await termic.json(['list'])
  const [pid = 0] = daemonsOf(termic)
  rmSync(join(termic.dataDir, 'daemon.lock'))
  await untilGone(pid)
  assert.match(
    readFileSync(join(termic.dataDir, 'daemon.log'), 'utf8'),
    /stopping: its lock file was removed/,
  )
  await termic.json(['list'])
  assert.is(daemonsOf(termic).length, 1)
})

test.run()
