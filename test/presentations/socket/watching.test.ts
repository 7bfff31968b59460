import {existsSync} from 'node:fs'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {JsonClient} from '../../fixtures/json-client.ts'
import {type Json, PrivateTermic} from '../../fixtures/termic.ts'
import {until} from '../../fixtures/until.ts'

const termic = new PrivateTermic()
let client: JsonClient

test.before(async () => {
  const repository = await termic.project()
  await termic.json(['new', 'busy'], {cwd: repository.path})
})
test.before.each(async () => {
  client = await JsonClient.connect(termic)
})
test.after.each(() => client.destroy())
test.after(() => termic.close())

/** A prompt that runs until `release`, which the end of the test calls as well. */
class Occupied implements AsyncDisposable {
  readonly #fifo: string
  #released = false

  private constructor(fifo: string) {
    this.#fifo = fifo
  }

  static async begin(name: string): Promise<Occupied> {
    const prompt = `mkfifo ${name}; read x < ${name}`
    const {delivery} = await client.result('task.send', {task: 'busy', prompt})
    const path = await until('the prompt runs', async () => {
      const {task} = await client.result('task.status', {task: 'busy', maxAgeMs: 60_000})
      const runs = task.queue.some(({id, state}: Json) => id === delivery.id && state === 'started')
      return runs && `${task.path}/${name}`
    })
    return new Occupied(path)
  }

  async release(): Promise<void> {
    if (this.#released) return
    this.#released = true
    await until('the prompt reads', () => existsSync(this.#fifo))
    await termic.shell(`echo go > ${this.#fifo}`)
    await termic.json(['wait', 'busy', '--timeout', '60s'])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release()
  }
}

/** Calls under way, this question not among them. */
async function callsUnderWay(): Promise<number> {
  return (await client.result('daemon.status')).calls
}

test('requests in flight are answered as they finish', async () => {
  await using turn = await Occupied.begin('in-flight')
  const wait = client.begin('task.wait', {tasks: ['busy']})
  const quick = ['hello', 'task.list', 'daemon.status'].map(method => client.begin(method))
  await Promise.all(quick.map(id => client.response(id)))
  assert.not(client.heard.some(({id}) => id === wait))
  await turn.release()
  assert.equal((await client.response(wait)).result.outcomes[0].outcome, 'done')
})

test('a watched call tells of states and deliveries under its id before it answers', async () => {
  await using turn = await Occupied.begin('told')
  client.heard.length = 0
  const wait = client.begin('task.wait', {tasks: ['busy']})
  const send = client.begin('task.send', {task: 'busy', prompt: 'true', wait: true})
  await client.hears(
    'where the call can be taken up again',
    ({params}) => params?.event?.type === 'committed',
  )
  await turn.release()
  await Promise.all([client.response(wait), client.response(send)])
  const told = client.heard.filter(({method, params}) => method === '$/event' && params.id === wait)
  const states = told
    .filter(({params}) => params.event.type === 'state')
    .map(({params}) => params.event.data.name)
  const deliveries = told
    .filter(({params}) => params.event.type === 'delivery')
    .map(({params}) => params.event.data.state)
  assert.is(states.at(-1), 'done')
  assert.ok(deliveries.includes('settled'), deliveries.join(' '))
  const answer = client.heard.findIndex(({id, method}) => id === wait && !method)
  assert.ok(client.heard.every(({params}, at) => params?.id !== wait || at < answer))
})

test('cancel ends a wait and undoes nothing', async () => {
  await using turn = await Occupied.begin('cancelled')
  const send = client.begin('task.send', {task: 'busy', prompt: 'echo kept >> kept.txt', wait: true})
  const committed = await client.hears(
    'that the prompt is queued',
    ({params}) => params?.id === send && params.event.type === 'committed',
  )
  client.say({method: '$/cancel', params: {id: send}})
  const {result} = await client.response(send)
  assert.is(result.wait.outcome, 'timeout')
  assert.is(result.delivery.state, 'queued')
  assert.is(result.delivery.id, committed.params.event.flags['delivery-id'])
  await turn.release()
  const {task} = await client.result('task.status', {task: 'busy'})
  assert.is(task.lastDelivery.id, result.delivery.id)
  assert.is(task.lastDelivery.state, 'settled')
})

test('cancelling what is not under way does nothing', async () => {
  for (const params of [{id: 'nobody'}, {}, null, 7, undefined]) client.say({method: '$/cancel', params})
  assert.is((await client.call('hello')).result.protocol, 1)
})

test('an id is refused while it is in use, and the call that has it goes on', async () => {
  await using turn = await Occupied.begin('in-use')
  client.say({id: 'w', method: 'task.wait', params: {tasks: ['busy']}, token: client.token})
  client.say({id: 'w', method: 'hello'})
  assert.is((await client.response('w')).error.code, -32600)
  client.heard.length = 0
  await turn.release()
  assert.equal((await client.response('w')).result.outcomes[0].outcome, 'done')
})

test('more than 64 calls at once are refused, one by one', async () => {
  await using turn = await Occupied.begin('many')
  const waits = Array.from({length: 64}, () => client.begin('task.wait', {tasks: ['busy']}))
  const {error} = await client.call('hello')
  assert.is(error.code, -32600)
  assert.match(error.message, '64')
  client.say({method: '$/cancel', params: {id: waits[0]}})
  await client.response(waits[0])
  assert.is((await client.call('hello')).result.protocol, 1)
  await turn.release()
  await Promise.all(waits.map(id => client.response(id)))
})

test('a client that goes away releases its watch at once, and the prompt goes on', async () => {
  await using turn = await Occupied.begin('left')
  const before = await callsUnderWay()
  const other = await JsonClient.connect(termic)
  other.begin('task.wait', {tasks: ['busy']})
  await until('the other one watches', async () => (await callsUnderWay()) === before + 1)
  other.destroy()
  await until('its watch is released', async () => (await callsUnderWay()) === before)
  await turn.release()
})

test('a client that only closed its own way still gets its answer, and then the connection ends', async () => {
  await using turn = await Occupied.begin('half')
  const other = await JsonClient.connect(termic)
  const wait = other.begin('task.wait', {tasks: ['busy']})
  other.endOfRequests()
  await other.hears('a sign that it was understood', ({method}) => method === '$/heartbeat')
  await turn.release()
  assert.equal((await other.response(wait)).result.outcomes[0].outcome, 'done')
  await other.closed
})

test('a pending call hears a heartbeat at least every ten seconds', async () => {
  await using turn = await Occupied.begin('long')
  const wait = client.begin('task.wait', {tasks: ['busy']})
  const beat = await client.hears('a heartbeat', ({method}) => method === '$/heartbeat')
  assert.equal(beat.params, {id: wait})
  await turn.release()
})

test('a daemon that stops ends the connections', async () => {
  await termic.json(['daemon', 'stop'])
  await client.closed
  client.destroy()
})

test.run()
