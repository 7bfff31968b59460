import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {daemonsOf} from '../fixtures/daemon-process.ts'
import {run} from '../fixtures/running.ts'
import {PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

// reddb-io/red-skills#3186: a ping of 250 ms decides "dead" and unlinks the live socket (1166 births, 4 daemons).
test('a daemon that is stopped for longer than any time limit stays the only one, and loses nothing', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  const gate = join(termic.place, 'gate')
  await run('mkfifo', [gate])
  const {task} = await termic.json(['new', 'one', '-p', `cat ${gate}`], {cwd: repository.path})
  await until('it runs', () => termic.rows(`SELECT 1 FROM deliveries WHERE state = 'started'`).length > 0)
  const [pid = 0] = daemonsOf(termic)
  const waiting = termic.start(['wait', 'one', '--json'])
  const isWatched = async () => (await termic.json(['daemon', 'status'])).calls > 0
  await until('the wait is watched', isWatched)

  process.kill(pid, 'SIGSTOP')
  let calls: Awaited<ReturnType<typeof termic.run>>[]
  try {
    calls = await Promise.all([
      termic.run(['list']),
      termic.run(['status', 'one', '--json']),
      termic.run(['new', 'two'], {cwd: repository.path}),
      termic.run(['send', 'one', '-p', 'echo x']),
      termic.run(['daemon', 'status']),
      termic.run(['daemon', 'start']),
      termic.run(['daemon', 'stop', '--json']),
      termic.run(['quit', '--yes']),
    ])
    assert.equal(daemonsOf(termic), [pid])
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  for (const {exit, stdout, stderr} of calls) {
    assert.is(exit, 8, stdout + stderr)
    if (stderr !== '') assert.match(stderr, /^termic: the connection to the termic daemon was lost.*\n$/)
    else assert.is(JSON.parse(stdout).error.code, 'daemon.lost')
  }

  assert.is(await termic.daemonPid(), pid)
  assert.equal(daemonsOf(termic), [pid])
  const {tasks} = await termic.json(['list'])
  // What was asked for by those who were told that it is lost was not begun.
  assert.equal(
    tasks.map(({name}: {name: string}) => name),
    ['one'],
  )
  assert.equal((await termic.json(['status', 'one'])).task.queue.length, 1)
  writeFileSync(gate, '')
  const {exit, stdout} = await waiting.ended
  assert.is(exit, 0, stdout)
  assert.is(JSON.parse(stdout).outcomes[0].taskId, task.id)
  assert.is(termic.rows('SELECT count(*) AS count FROM deliveries')[0]?.count, 1)
})

test.run()
