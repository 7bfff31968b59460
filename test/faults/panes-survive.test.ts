import {createHash} from 'node:crypto'
import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {crashDaemon, hostsOf, isRunning, untilGone} from '../fixtures/daemon-process.ts'
import {run} from '../fixtures/running.ts'
import {type Json, PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

function logOf(termic: PrivateTermic, pane: number): Buffer {
  const dir = join(termic.dataDir, 'panes', String(pane))
  const segments = readdirSync(dir).filter(name => name.endsWith('.log'))
  return Buffer.concat(segments.sort().map(name => readFileSync(join(dir, name))))
}

function logBytes(termic: PrivateTermic, pane: number): number {
  const dir = join(termic.dataDir, 'panes', String(pane))
  const sizes = readdirSync(dir).map(name => (name.endsWith('.log') ? statSync(join(dir, name)).size : 0))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function gateOf(termic: PrivateTermic): Promise<string> {
  const gate = join(termic.place, 'gate')
  await run('mkfifo', [gate])
  return gate
}

function isAt(termic: PrivateTermic, state: string, id: string): Promise<boolean> {
  const sql = 'SELECT 1 FROM deliveries WHERE id = ? AND state = ?'
  return until(`${id} is ${state}`, () => termic.rows(sql, id, state).length > 0)
}

test('kill -9 of the daemon in the middle of a flood of 50 MB costs no byte of the log', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  await termic.json(['new', 'flood'], {cwd: repository.path})
  const lines = 6_000_000
  await termic.json(['send', 'flood', '-p', `seq 1 ${lines}`])
  for (const megabytes of [1, 8, 20, 33]) {
    await until(`${megabytes} MB are there`, () => logBytes(termic, 1) > megabytes * 1024 * 1024)
    await crashDaemon(termic)
    await termic.json(['list'])
  }
  const {outcomes} = await termic.json(['wait', 'flood'])
  assert.equal([outcomes[0].outcome, outcomes[0].exitCode], ['done', 0])
  const log = logOf(termic, 1)
  const start = log.indexOf('1\r\n2\r\n3\r\n')
  const expected = Buffer.from(Array.from({length: lines}, (_, index) => `${index + 1}\r\n`).join(''))
  assert.ok(expected.length > 48 * 1024 * 1024)
  const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  assert.is(sum(log.subarray(start, start + expected.length)), sum(expected))
})

test('live panes are taken up by the next daemon: the same shells, which take the next prompt', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  const names = ['a', 'b', 'c', 'd']
  for (const name of names)
    await termic.json(['new', name, '-p', 'mine=kept', '--wait'], {cwd: repository.path})
  const hosts = hostsOf(termic).sort()
  assert.is(hosts.length, names.length)
  await crashDaemon(termic)
  const {tasks} = await termic.json(['list'])
  assert.equal(
    tasks.map(({name, state}: Json) => `${name} ${state.name}`),
    names.map(name => `${name} done`),
  )
  assert.equal(hostsOf(termic).sort(), hosts)
  for (const name of names) {
    const {wait} = await termic.json(['send', name, '--wait', '-p', 'test "$mine" = kept'])
    assert.equal([wait.outcome, wait.exitCode], ['done', 0])
  }
})

test('the end of an agent while no daemon ran is known afterwards, with its exit code', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  const gate = await gateOf(termic)
  await termic.json(['new', 'one', '-p', `cat ${gate}; exit 3`, '--delivery-id', 'last'], {
    cwd: repository.path,
  })
  await isAt(termic, 'started', 'last')
  await crashDaemon(termic)
  const hosts = hostsOf(termic)
  writeFileSync(gate, '')
  for (const pid of hosts) await untilGone(pid)
  const {task} = await termic.json(['status', 'one'])
  assert.equal([task.state.name, task.state.exitCode, task.state.confidence], ['exited', 3, 'exact'])
  assert.equal([task.lastDelivery.state, task.lastDelivery.exitCode], ['settled', 3])
  const {exit, stderr} = await termic.run(['wait', 'one'])
  assert.is(exit, 1)
  assert.match(stderr, /^termic: .*one.*--fresh/)
})

for (const when of ['before the eyes of the daemon', 'while no daemon runs'] as const) {
  test(`a pane whose host is killed ${when} is lost: its log stays, its prompts fail and say why`, async () => {
    await using termic = new PrivateTermic()
    const repository = await termic.project()
    const gate = await gateOf(termic)
    const first = ['new', 'one', '-p', `echo said before; cat ${gate}`, '--delivery-id', 'running']
    const {task} = await termic.json(first, {cwd: repository.path})
    await isAt(termic, 'started', 'running')
    await termic.json(['send', 'one', '-p', 'echo never', '--delivery-id', 'queued'])
    const waiting = termic.start(['send', 'one', '--delivery-id', 'queued', '--wait'])
    const [host = 0] = hostsOf(termic)
    if (when === 'before the eyes of the daemon') process.kill(host, 'SIGKILL')
    else {
      await crashDaemon(termic)
      process.kill(host, 'SIGKILL')
    }
    await untilGone(host)
    const {exit, stdout, stderr} = await waiting.ended
    assert.is(exit, 9, stderr)
    assert.match(stdout + stderr, /the pane was lost before the agent took the prompt/)

    const status = await termic.json(['status', 'one'])
    assert.equal([status.task.state.name, status.task.state.evidence.source], ['lost', 'process'])
    const rows = termic.rows('SELECT id, state, reason FROM deliveries ORDER BY seq')
    assert.equal(rows, [
      {id: 'running', state: 'failed', reason: 'pane-lost'},
      {id: 'queued', state: 'failed', reason: 'pane-lost'},
    ])
    assert.match((await termic.run(['log', 'one'])).stdout, /said before/)

    const refused = await termic.run(['send', 'one', '-p', 'echo more'])
    assert.is(refused.exit, 1)
    assert.is(refused.stdout, '')
    assert.match(
      refused.stderr,
      /^termic: task one has no live agent; `termic send one --fresh` starts a new one.*\n$/,
    )
    const fresh = await termic.json(['send', 'one', '--fresh', '--wait', '-p', 'echo more > more'])
    assert.is(fresh.wait.outcome, 'done')
    assert.is(readFileSync(join(task.path, 'more'), 'utf8'), 'more\n')
  })
}

test('a host that does not answer holds up neither the next daemon nor the other panes', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  await termic.json(['new', 'stuck', '-p', 'true', '--wait'], {cwd: repository.path})
  const [stuck = 0] = hostsOf(termic)
  await termic.json(['new', 'well', '-p', 'true', '--wait'], {cwd: repository.path})
  await crashDaemon(termic)
  process.kill(stuck, 'SIGSTOP')
  try {
    const {tasks} = await termic.json(['list'])
    assert.is(tasks.length, 2)
    const {wait} = await termic.json(['send', 'well', '--wait', '-p', 'true'])
    assert.is(wait.outcome, 'done')
    const {delivery} = await termic.json(['send', 'stuck', '-p', 'echo x >> ran'])
    assert.is(delivery.state, 'queued')
    assert.ok(isRunning(stuck))
  } finally {
    process.kill(stuck, 'SIGCONT')
  }
  const {outcomes} = await termic.json(['wait', 'stuck'])
  assert.is(outcomes[0].outcome, 'done')
})

test('archive ends a host that was stopped, and what an agent left that had ended before', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  const stray = `setsid sh -c 'trap "" TERM HUP; exec sleep 1007' </dev/null >/dev/null 2>&1 &`
  await termic.json(['new', 'stopped', '-p', 'true', '--wait'], {cwd: repository.path})
  const [host = 0] = hostsOf(termic)
  process.kill(host, 'SIGSTOP')
  const archived = await termic.json(['archive', 'stopped', '--yes'])
  assert.equal([archived.endedPanes, archived.remainingProcesses], [1, 0])

  await termic.json(['new', 'left', '-p', `${stray} sleep 0; exit`], {cwd: repository.path})
  await until(
    'the agent has exited',
    async () => (await termic.json(['status', 'left'])).task.state.name === 'exited',
  )
  const isThere = () => termic.processes().some(({command}) => command.includes('sleep 1007'))
  assert.ok(isThere())
  const {endedProcesses, remainingProcesses} = await termic.json(['archive', 'left', '--yes'])
  assert.equal([endedProcesses >= 1, remainingProcesses], [true, 0])
  assert.not(isThere())
})

test.run()
