import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {crashDaemon} from '../fixtures/daemon-process.ts'
import {type Json, PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

const termic = new PrivateTermic()
test.before(async () => {
  await termic.project()
})
test.after(() => termic.close())

/** A task whose agent runs `command`, or is at its prompt. */
async function newTask(name: string, command?: string): Promise<void> {
  await termic.json(['new', name, '--project', 'shop'])
  if (command === undefined) return
  await termic.json(['send', name, '-p', command])
  await untilState(name, 'working')
}

function untilState(name: string, state: string): Promise<Json> {
  return until(`${name} is ${state}`, async () => {
    const {task} = await termic.json(['status', name])
    return task.state.name === state && task
  })
}

/** So that what follows finds the wait in place. */
function untilUnderWay(): Promise<boolean> {
  return until('a call is under way', async () => (await termic.json(['daemon', 'status'])).calls >= 1)
}

test('0: done, whatever the command of the prompt ended with', async () => {
  await newTask('fine')
  const {exit, stdout} = await termic.run(['send', 'fine', '--wait', '-p', '(exit 42)'])
  assert.equal([exit, stdout], [0, 'the agent has finished, exit code 42\n'])
})

test('7: the time is over and the task goes on', async () => {
  await newTask('slow', 'sleep 300')
  for (const argv of [
    ['wait', 'slow', '--timeout', '1s'],
    ['send', 'slow', '-p', 'echo', '--wait', '--timeout', '0'],
    ['new', 'slower', '--project', 'shop', '-p', 'sleep 300', '--wait', '--timeout=1'],
  ]) {
    const {exit, stdout, stderr} = await termic.run(argv)
    assert.equal([exit, stderr], [7, ''], argv.join(' '))
    assert.match(stdout, /^the time is over; task slow(er)? goes on$/m)
  }
  const {exit, stdout} = await termic.run(['wait', 'slow', '--timeout', '0', '--json'])
  assert.is(exit, 7)
  assert.is(JSON.parse(stdout).outcomes[0].outcome, 'timeout')
  assert.is((await untilState('slow', 'working')).queued, 1)
})

test('9: the prompt was never delivered, since the agent ended before it', async () => {
  await newTask('ending', 'sleep 300')
  const queued = termic.start(['send', 'ending', '-p', 'echo never', '--wait'])
  const inJson = termic.start(['send', 'ending', '-p', 'echo never', '--wait', '--json'])
  await until('both are queued', async () => (await untilState('ending', 'working')).queued === 2)
  const {task} = await termic.json(['status', 'ending'])
  process.kill(agentOf(task), 'SIGKILL')
  const {exit, stdout, stderr} = await queued.ended
  assert.equal([exit, stderr], [9, ''])
  assert.match(stdout, /^the prompt was not delivered/)
  const json = await inJson.ended
  assert.is(json.exit, 9)
  assert.equal(
    [JSON.parse(json.stdout).wait.outcome, JSON.parse(json.stdout).delivery.state],
    ['not_delivered', 'failed'],
  )
})

test('1: the agent went away while it was waited for (agent.gone)', async () => {
  await newTask('killed', 'sleep 300')
  const waiting = termic.start(['wait', 'killed', '--json'])
  await untilUnderWay()
  process.kill(agentOf((await termic.json(['status', 'killed'])).task), 'SIGKILL')
  const {exit, stdout} = await waiting.ended
  assert.equal([exit, JSON.parse(stdout).error.code], [1, 'agent.gone'])
})

test('8: the connection was lost and may not be taken up again (daemon.lost)', async () => {
  await newTask('lost', 'sleep 300')
  const waiting = termic.start(['--no-launch', 'wait', 'lost'])
  const inJson = termic.start(['--no-launch', 'wait', 'lost', '--json'])
  await until('both wait', async () => (await termic.json(['daemon', 'status'])).calls >= 2)
  await crashDaemon(termic)
  const {exit, stdout, stderr} = await waiting.ended
  assert.equal([exit, stdout], [8, ''])
  assert.match(
    stderr,
    /^termic: the connection to the termic daemon was lost; `termic list` shows how things stand\n$/,
  )
  const json = await inJson.ended
  assert.equal([json.exit, json.stderr], [8, ''])
  assert.is(JSON.parse(json.stdout).error.code, 'daemon.lost')
})

/** The process of a task's shell. */
function agentOf(task: Json): number {
  const pane = task.tabs[0].panes[0].pane.slice(1)
  const found = termic.processes().find(({command}) => command.includes(`/panes/${pane}/shell/`))
  assert.ok(found, `the shell of pane ${pane}`)
  return found.pid
}

test.run()
