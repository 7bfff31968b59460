import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {EventBus} from '../../../src/core/events/event-bus.ts'
import type {CoreEvent, EventsLost, NewCoreEvent} from '../../../src/core/events/types.ts'
import {newStore} from '../../fixtures/store-samples.ts'

function newBus() {
  const store = newStore()
  return {store, bus: new EventBus(store)}
}

function created(taskId: string, name = taskId): NewCoreEvent {
  return {type: 'task.created', at: 1, taskId, data: {name, project: 'shop'}}
}

const closed = (taskId: string): NewCoreEvent => ({
  type: 'pane',
  at: 1,
  taskId,
  pane: 7,
  data: {change: 'closed'},
})

async function take(
  from: AsyncIterator<CoreEvent | EventsLost>,
  count: number,
): Promise<(CoreEvent | EventsLost)[]> {
  const taken: (CoreEvent | EventsLost)[] = []
  while (taken.length < count) {
    const {done, value} = await from.next()
    if (done) break
    taken.push(value)
  }
  return taken
}

const seqs = (events: readonly (CoreEvent | EventsLost)[]) =>
  events.map(event => ('seq' in event ? event.seq : event.type))

test('an event is told after the commit, with its number', () => {
  const {store, bus} = newBus()
  const heard: CoreEvent[] = []
  bus.listen(event => heard.push(event))
  store.transaction(() => {
    bus.append(created('a'))
    bus.append(closed('a'))
    assert.equal(heard, [])
  })
  assert.equal(seqs(heard), [1, 2])
  assert.is(bus.lastSeq, 2)
})

test('an event of a transaction that was undone never happened', () => {
  const {store, bus} = newBus()
  const heard: CoreEvent[] = []
  bus.listen(event => heard.push(event))
  assert.throws(() =>
    store.transaction(() => {
      bus.append(created('a'))
      throw new Error('undone')
    }),
  )
  bus.append(created('b'))
  assert.equal(
    heard.map(({taskId}) => taskId),
    ['b'],
  )
})

test('a listener hears what it asked for, until it has enough', () => {
  const {bus} = newBus()
  const heard: string[] = []
  const stop = bus.listen(({type, taskId}) => heard.push(`${taskId} ${type}`), {taskId: 'a', types: ['pane']})
  for (const event of [created('a'), closed('a'), closed('b')]) bus.append(event)
  stop()
  bus.append(closed('a'))
  assert.equal(heard, ['a pane'])
})

test('a listener that throws keeps no other from hearing', async () => {
  const {bus} = newBus()
  const thrown = new Promise(resolve => process.once('uncaughtException', resolve))
  let heard = 0
  bus.listen(() => {
    throw new Error('on purpose')
  })
  bus.listen(() => heard++)
  bus.append(created('a'))
  assert.is(heard, 1)
  assert.match(((await thrown) as Error).message, /on purpose/)
})

test('a follower begins with what happens next, even before it first asks', async () => {
  const {bus} = newBus()
  bus.append(created('before'))
  const events = bus.follow()
  bus.append(created('after'))
  assert.equal(seqs(await take(events, 1)), [2])
})

test('a follower that waits is woken', async () => {
  const {bus} = newBus()
  const events = bus.follow()
  const next = take(events, 1)
  await new Promise(resolve => setImmediate(resolve))
  bus.append(created('a'))
  assert.equal(seqs(await next), [1])
})

test('a follower resumes from its position without gap or repetition, across a restart of the daemon', async () => {
  const {store, bus} = newBus()
  for (let i = 0; i < 5; i++) bus.append(created(`t${i}`))
  const first = await take(bus.follow({afterSeq: 0}), 3)
  const second = new EventBus(store).follow({afterSeq: 3})
  assert.equal(seqs([...first, ...(await take(second, 2))]), [1, 2, 3, 4, 5])
})

test('a slow follower misses nothing', async () => {
  const {bus} = newBus()
  const events = bus.follow({filter: {taskId: 'a'}})
  const all: (CoreEvent | EventsLost)[] = []
  for (let round = 0; round < 20; round++) {
    for (let i = 0; i < 50; i++) bus.append(created(i % 2 === 0 ? 'a' : 'b'))
    all.push(...(await take(events, 3)))
  }
  all.push(...(await take(events, 500 - all.length)))
  assert.equal(
    seqs(all),
    Array.from({length: 500}, (_, i) => 2 * i + 1),
  )
})

test('events that are no longer kept are told as lost, and the rest follows', async () => {
  const {store, bus} = newBus()
  const events = bus.follow()
  store.transaction(() => {
    for (let i = 0; i < 10_500; i++) bus.append(created('a'))
  })
  const [lost, next] = await take(events, 2)
  assert.equal(lost, {type: 'lost', from: 1, to: 500})
  assert.is((next as CoreEvent).seq, 501)
})

test('a position from another life is taken as now', async () => {
  const {bus} = newBus()
  const events = bus.follow({afterSeq: 1_000_000})
  bus.append(created('a'))
  assert.equal(seqs(await take(events, 1)), [1])
})

test('a follower ends by its signal and by the end of the bus, waiting or not', async () => {
  const {bus} = newBus()
  const stop = new AbortController()
  const waiting = take(bus.follow({signal: stop.signal}), 1)
  await new Promise(resolve => setImmediate(resolve))
  stop.abort()
  assert.equal(await waiting, [])
  assert.equal(await take(bus.follow({signal: stop.signal}), 1), [])
  const other = take(bus.follow(), 1)
  bus.close()
  assert.equal(await other, [])
})

test('an event comes back as it was given', async () => {
  const {bus} = newBus()
  const state = {
    name: 'exited',
    since: 1,
    evidence: {source: 'process', at: 1, detail: 'é'},
    confidence: 'exact',
  } as const
  const given = bus.append({type: 'state', at: 9, taskId: 'a', pane: 3, data: {...state, exitCode: 1}})
  assert.equal(await take(bus.follow({afterSeq: 0}), 1), [given])
})

test.run()
