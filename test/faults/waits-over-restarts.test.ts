import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {crashDaemon, daemonsOf, isRunning, untilGone} from '../fixtures/daemon-process.ts'
import {JsonClient} from '../fixtures/json-client.ts'
import {run} from '../fixtures/running.ts'
import {PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

/** A task whose first prompt runs until `open` is called, and ends with 5. */
async function heldTask(termic: PrivateTermic) {
  const {path} = await termic.project()
  const gate = join(termic.place, 'gate')
  await run('mkfifo', [gate])
  const held = `cat ${gate}; (exit 5)`
  const open = () => writeFileSync(gate, '')
  return {path, held, open}
}

function untilStarted(termic: PrivateTermic): Promise<boolean> {
  const isStarted = () => termic.rows(`SELECT 1 FROM deliveries WHERE state = 'started'`).length > 0
  return until('the prompt runs', isStarted)
}

function untilWatched(termic: PrivateTermic, calls: number): Promise<boolean> {
  return until('all are watched', async () => (await termic.json(['daemon', 'status'])).calls === calls)
}

const ways = {
  'daemon restart': async (termic: PrivateTermic) => {
    assert.is((await termic.run(['daemon', 'restart'])).exit, 0)
  },
  'kill -9 of the daemon': async (termic: PrivateTermic) => {
    await crashDaemon(termic)
  },
}

for (const [name, replace] of Object.entries(ways)) {
  test(`wait, send --wait and new --wait go on over ${name}, each to its own right end`, async () => {
    await using termic = new PrivateTermic()
    const {path, held, open} = await heldTask(termic)
    const made = termic.start(['new', 'one', '-p', held, '--wait', '--json'], {cwd: path})
    await untilStarted(termic)
    const sent = termic.start(['send', 'one', '-p', '-', '--wait', '--json'], {
      stdin: 'echo x >> ran; (exit 6)\n',
    })
    const waiting = termic.start(['wait', 'one', '--json'])
    const limited = termic.start(['wait', 'one', '--timeout', '1h'])
    await untilWatched(termic, 4)
    const [before] = daemonsOf(termic)
    await replace(termic)
    await untilWatched(termic, 4)
    assert.is.not(daemonsOf(termic)[0], before)
    open()
    const [ofNew, ofSend, ofWait, ofLimited] = await Promise.all([
      made.ended,
      sent.ended,
      waiting.ended,
      limited.ended,
    ])
    for (const {exit, stdout, stderr} of [ofNew, ofSend, ofWait, ofLimited])
      assert.is(exit, 0, stdout + stderr)
    for (const {stderr} of [ofNew, ofSend, ofWait, ofLimited]) assert.is(stderr, '')
    const {task, wait} = JSON.parse(ofNew.stdout)
    assert.equal([wait.outcome, wait.exitCode], ['done', 5])
    assert.equal(
      [JSON.parse(ofSend.stdout).wait.outcome, JSON.parse(ofSend.stdout).wait.exitCode],
      ['done', 6],
    )
    assert.equal([JSON.parse(ofWait.stdout).outcomes[0].exitCode], [6])
    assert.is(readFileSync(join(task.path, 'ran'), 'utf8'), 'x\n', 'sent once')
  })
}

test('events and log --follow go on over a restart without a gap in what they print', async () => {
  await using termic = new PrivateTermic()
  const {path, held, open} = await heldTask(termic)
  await termic.json(['new', 'one', '-p', held], {cwd: path})
  await untilStarted(termic)
  const following = termic.start(['log', 'one', '--follow'])
  await following.says(/cat/)
  await ways['daemon restart'](termic)
  open()
  await termic.json(['send', 'one', '-p', 'echo "said af""ter"; exit', '--wait'])
  const {exit, stdout} = await following.ended
  assert.is(exit, 0)
  assert.match(stdout, /said after/)
})

test('daemon stop is not undone by those who wait: they end with 8 and a sentence', async () => {
  await using termic = new PrivateTermic()
  const {path, held, open} = await heldTask(termic)
  const made = termic.start(['new', 'one', '-p', held, '--wait'], {cwd: path})
  await untilStarted(termic)
  const others = [
    termic.start(['send', 'one', '-p', 'echo x >> ran', '--wait']),
    termic.start(['wait', 'one', '--json']),
    termic.start(['events']),
    termic.start(['log', 'one', '--follow']),
  ]
  const client = await JsonClient.connect(termic)
  const id = client.begin('task.wait', {tasks: ['one']})
  await untilWatched(termic, 6)
  const startedAt = performance.now()
  assert.is((await termic.run(['daemon', 'stop'])).exit, 0)
  assert.ok(performance.now() - startedAt < 4000, 'nothing had to be waited for')
  const [ofNew, ofSend, ofWait, ...streams] = await Promise.all([made, ...others].map(({ended}) => ended))
  for (const end of [ofNew, ofSend, ...streams]) {
    assert.is(end?.exit, 8, end?.stderr)
    assert.match(
      String(end?.stderr),
      /^termic: the termic daemon is stopping, so this call was cut short \(what it began goes on\); .*\n$/,
    )
  }
  assert.is(ofWait?.exit, 8)
  assert.is(JSON.parse(String(ofWait?.stdout)).error.code, 'daemon.stopping')
  const {error} = await client.response(id)
  assert.is(error.data.code, 'daemon.stopping')
  await client.closed
  assert.equal(daemonsOf(termic), [])

  // What was begun went on: the prompt that is running, and the one behind it.
  open()
  assert.is((await termic.run(['wait', 'one'])).exit, 0)
  assert.is(readFileSync(join(termic.home, 'termic/tasks/shop/one/ran'), 'utf8'), 'x\n')
})

test('quit ends those who wait in the same way', async () => {
  await using termic = new PrivateTermic()
  const {path, held} = await heldTask(termic)
  await termic.json(['new', 'one', '-p', held], {cwd: path})
  await untilStarted(termic)
  const waiting = termic.start(['wait', 'one'])
  await untilWatched(termic, 1)
  assert.is((await termic.run(['quit', '--yes'])).exit, 0)
  const {exit, stderr} = await waiting.ended
  assert.is(exit, 8, stderr)
  assert.equal(termic.processes(), [])
})

test('work under way is finished before the daemon goes, and its answer is the real one', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.project({files: {'.gitattributes': '*.slow filter=slow\n', 'a.slow': 'x\n'}})
  const [started, release] = [join(termic.place, 'started'), join(termic.place, 'release')]
  await run('mkfifo', [release])
  await run('git', ['config', 'filter.slow.smudge', `touch ${started}; cat ${release}; cat`], {cwd: path})
  const made = termic.start(['new', 'one', '--json'], {cwd: path})
  await until('the checkout runs', () => existsSync(started))
  const stopped = termic.run(['daemon', 'stop'])
  const [pid = 0] = daemonsOf(termic)
  await until('it stops', () =>
    readFileSync(join(termic.dataDir, 'daemon.log'), 'utf8').includes('stopping:'),
  )
  assert.ok(isRunning(pid))
  writeFileSync(release, '')
  const {exit, stdout} = await made.ended
  assert.is(exit, 0, stdout)
  assert.is((await stopped).exit, 0)
  assert.is(JSON.parse(stdout).task.name, 'one')
  assert.is((await termic.json(['list'])).tasks.length, 1)
})

test('SIGTERM stops in good order, and the second one at once', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.project({files: {'.gitattributes': '*.slow filter=slow\n', 'a.slow': 'x\n'}})
  const [started, release] = [join(termic.place, 'started'), join(termic.place, 'release')]
  await run('mkfifo', [release])
  const [idle = 0] = daemonsOf(termic)
  process.kill(idle, 'SIGTERM')
  await untilGone(idle)
  assert.match(readFileSync(join(termic.dataDir, 'daemon.log'), 'utf8'), /stopping: SIGTERM/)

  await run('git', ['config', 'filter.slow.smudge', `touch ${started}; cat ${release}; cat`], {cwd: path})
  const made = termic.start(['new', 'one'], {cwd: path})
  await until('the checkout runs', () => existsSync(started))
  const [busy = 0] = daemonsOf(termic)
  const logged = () =>
    readFileSync(join(termic.dataDir, 'daemon.log'), 'utf8').match(/stopping: SIGTERM/g)?.length
  process.kill(busy, 'SIGTERM')
  await until('it stops', () => logged() === 2)
  assert.ok(isRunning(busy), 'it waits for the work under way')
  const startedAt = performance.now()
  process.kill(busy, 'SIGTERM')
  await untilGone(busy)
  assert.ok(performance.now() - startedAt < 3000)
  assert.is((await made.ended).exit, 8)
  assert.equal((await termic.json(['list'])).tasks, [])
})

test('SIGHUP does not end a daemon that was started from a terminal', async () => {
  await using termic = new PrivateTermic()
  const terminal = termic.inTerminal(['list'])
  assert.is(await terminal.ended, 0)
  const [pid = 0] = daemonsOf(termic)
  process.kill(pid, 'SIGHUP')
  await termic.json(['list'])
  assert.equal(daemonsOf(termic), [pid])
})

test.run()
