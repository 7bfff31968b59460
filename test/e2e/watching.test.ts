import {test} from 'uvu'
import * as assert from 'uvu/assert'
import type {Running} from '../fixtures/running.ts'
import {type Json, PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

const termic = new PrivateTermic()
test.before(async () => {
  await termic.project()
})
test.after(() => termic.close())

async function stateOf(name: string): Promise<Json> {
  return (await termic.json(['status', name])).task
}

async function workingTask(name: string): Promise<void> {
  await termic.json(['new', name, '--project', 'shop'])
  await termic.json(['send', name, '-p', 'sleep 300'])
  await until('it works', async () => (await stateOf(name)).state.name === 'working')
}

/** Interrupts a call that is surely under way. */
async function interrupt(call: Running, signal: NodeJS.Signals = 'SIGINT') {
  await until('the call is under way', async () => (await termic.json(['daemon', 'status'])).calls >= 1)
  call.signal(signal)
  const ended = await call.ended
  await until('the daemon has let it go', async () => (await termic.json(['daemon', 'status'])).calls === 0)
  return ended
}

test('Ctrl-C at a wait stops watching only', async () => {
  await workingTask('one')
  for (const [argv, signal, exit] of [
    [['wait', 'one'], 'SIGINT', 130],
    [['wait', 'one', '--json'], 'SIGTERM', 143],
    [['log', 'one', '--follow', '--output-format', 'json'], 'SIGINT', 130],
  ] as const) {
    const ended = await interrupt(termic.start(argv), signal)
    assert.equal([ended.exit, ended.stdout, ended.stderr], [exit, '', ''])
    assert.is((await stateOf('one')).state.name, 'working')
  }
})

test('Ctrl-C in a terminal does the same', async () => {
  const terminal = termic.inTerminal(['wait', 'one'])
  await until('the call is under way', async () => (await termic.json(['daemon', 'status'])).calls >= 1)
  terminal.type('\x03')
  assert.is(await terminal.ended, 130)
  assert.is((await stateOf('one')).state.name, 'working')
})

test('Ctrl-C at send --wait and new --wait leaves the prompt in its queue and the task as it is', async () => {
  assert.is((await interrupt(termic.start(['send', 'one', '-p', 'echo later', '--wait']))).exit, 130)
  assert.is((await stateOf('one')).queued, 1)
  const making = termic.start(['new', 'two', '--project', 'shop', '-p', 'sleep 300', '--wait'])
  await until('it works', async () => {
    const {tasks} = await termic.json(['list'])
    return tasks.some(({name, state}: Json) => name === 'two' && state.name === 'working')
  })
  assert.is((await interrupt(making)).exit, 130)
  assert.is((await stateOf('two')).state.name, 'working')
})

test('a log that is followed shows new output as it comes, and ends with the agent', async () => {
  await termic.json(['new', 'told', '--project', 'shop', '-p', 'echo first', '--wait'])
  const log = termic.start(['log', 'told', '-f'])
  await log.says(/\nfirst\n/)
  await termic.json(['send', 'told', '-p', 'echo second'])
  await log.says(/\nsecond\n/)
  await termic.json(['send', 'told', '-p', 'exit'])
  const {exit, stderr} = await log.ended
  assert.equal([exit, stderr], [0, ''])
})

test('events are told as they happen, one JSON object per line, from any point on', async () => {
  const live = termic.start(['events'])
  await until('it watches', async () => (await termic.json(['daemon', 'status'])).calls >= 1)
  await termic.json(['new', 'seen', '--project', 'shop', '-p', 'true', '--wait'])
  await live.says(/"state":"settled"/)
  live.signal('SIGINT')
  const {exit, stdout} = await live.ended
  assert.is(exit, 130)
  const events = linesOf(stdout)
  // What is over before it is looked at (written) has no event of its own.
  const states = events.filter(({type}) => type === 'delivery').map(({data}) => data.state)
  const order = ['queued', 'written', 'submitted', 'started', 'settled']
  assert.equal(
    states,
    order.filter(state => states.includes(state)),
  )
  assert.equal([states[0], states.at(-1)], ['queued', 'settled'])
  assert.ok(events.every(({seq}, at) => at === 0 || seq > events[at - 1].seq))

  const [, second] = events
  const again = termic.start(['events', '--after', `${second.seq}`, '--task', 'seen'])
  await again.says(/"state":"settled"/)
  again.signal('SIGINT')
  const repeated = linesOf((await again.ended).stdout)
  assert.ok(repeated.length > 2)
  assert.ok(repeated.every(({seq, taskId}) => seq > second.seq && taskId === second.taskId))
})

for (const [argv, exit, last] of [
  [['new', 'streamed', '--project', 'shop', '-p', 'echo hi', '--wait'], 0, 'result'],
  [['send', 'streamed', '-p', 'echo hi', '--wait'], 0, 'result'],
  [['wait', 'streamed'], 0, 'result'],
  [['wait', 'one', '--timeout', '0'], 7, 'result'],
  [['list'], 0, 'result'],
  [['version'], 0, 'result'],
  [['new', 'streamed', '--project', 'shop'], 1, 'error'],
  [['status', 'nope'], 1, 'error'],
  [['status', 'x', 'y'], 2, 'error'],
] as const) {
  test(`${argv.join(' ')} as stream-json is NDJSON with exactly one final ${last}`, async () => {
    const ended = await termic.run([...argv, '--output-format', 'stream-json'])
    assert.equal([ended.exit, ended.stderr], [exit, ''])
    const lines = linesOf(ended.stdout)
    assert.ok(lines.every(({type}) => typeof type === 'string'))
    assert.equal(
      lines.map(({type}) => type).filter(type => type === 'result' || type === 'error'),
      [last],
    )
    assert.is(lines.at(-1).type, last)
  })
}

test('stream-json tells the steps, the prompt and the states on the way', async () => {
  const {stdout} = await termic.run([
    ...['new', 'steps', '--project', 'shop', '-p', 'echo hi', '--wait', '--output-format=stream-json'],
  ])
  const lines = linesOf(stdout)
  const steps = lines.filter(({type}) => type === 'step').map(({text}) => text.split(' ')[0])
  assert.equal(steps, ['making', 'starting'])
  const deliveries = lines.filter(({type}) => type === 'delivery').map(({data}) => data.state)
  assert.is(deliveries.at(-1), 'settled')
  const {task, wait} = lines.at(-1).result
  assert.equal([task.name, wait.outcome], ['steps', 'done'])
})

test('a followed log as stream-json is its pieces with their offsets', async () => {
  const log = termic.start(['log', 'steps', '--follow', '--output-format=stream-json'])
  await log.says(/"type":"output"/)
  await termic.json(['send', 'steps', '-p', 'echo more; exit'])
  const {exit, stdout} = await log.ended
  assert.is(exit, 0)
  const lines = linesOf(stdout)
  const pieces = lines.filter(({type}) => type === 'output')
  assert.match(pieces.map(({text}) => text).join(''), /\nmore\n/)
  assert.ok(pieces.every(({offset}, at) => at === 0 || offset >= pieces[at - 1].offset))
  assert.equal([lines.at(-1).type, lines.at(-1).result.eof], ['result', true])
})

test('no call reads the stdin of a loop that it stands in', async () => {
  const {stdout} = await termic.shell(
    `while read -r name; do termic status "$name" --json >/dev/null && echo "$name"; done`,
    {stdin: 'one\ntwo\nsteps\n'},
  )
  assert.is(stdout, 'one\ntwo\nsteps\n')
})

test('colour is for terminals, and NO_COLOR takes it away', async () => {
  const shown = async (env?: Record<string, string>) => {
    const terminal = termic.inTerminal(['list'], {env})
    assert.is(await terminal.ended, 0)
    return terminal.raw
  }
  const blue = '\x1b[34mworking'
  assert.ok((await shown()).includes(blue))
  assert.not((await shown({NO_COLOR: '1'})).includes(blue))
  assert.not((await shown({TERM: 'dumb'})).includes(blue))
  assert.not((await termic.run(['list'])).stdout.includes('\x1b'))
})

function linesOf(stdout: string): Json[] {
  assert.ok(stdout.endsWith('\n'))
  return stdout
    .slice(0, -1)
    .split('\n')
    .map(line => JSON.parse(line))
}

test.run()
