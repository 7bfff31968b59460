import {getEventListeners} from 'node:events'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import type {WaitEvent, WaitView} from '../../../src/core/wait/types.ts'
import type {WaitOptions} from '../../../src/core/wait/wait-state.ts'
import {waitUntil} from '../../../src/core/wait/wait-until.ts'
import {manualClock} from '../../fixtures/manual-clock.ts'
import {agent, view} from './wait-views.ts'

/** A wait on a view that the test sets, with everything that must not be left behind. */
function begin(first: WaitView, options: Partial<WaitOptions> = {}) {
  const clock = manualClock()
  const controller = new AbortController()
  const listeners = new Set<() => void>()
  const events: WaitEvent[] = []
  const watched = {now: first, looks: 0}
  const ending = waitUntil({
    verb: 'wait',
    task: 'web/fix',
    agent: 'shell',
    ...options,
    clock,
    signal: controller.signal,
    view: () => {
      watched.looks++
      return watched.now
    },
    changed: notify => {
      listeners.add(notify)
      return () => void listeners.delete(notify)
    },
    onEvent: event => void events.push(event),
  })
  const change = (next: WaitView) => {
    watched.now = next
    for (const notify of listeners) notify()
  }
  const leftovers = () =>
    clock.pending + listeners.size + getEventListeners(controller.signal, 'abort').length
  return {clock, controller, events, watched, ending, change, leftovers}
}

const errorOf = (ending: Promise<unknown>) =>
  ending.then(
    () => 'none',
    error => error.message,
  )

/** Lets every promise that can go on do so. */
const rest = () => new Promise(resolve => setImmediate(resolve))

test('it ends with the change that ends it, and leaves nothing behind', async () => {
  const wait = begin(view(agent('working')))
  await rest()
  wait.change(view(agent('done')))
  assert.equal(await wait.ending, {outcome: 'done', state: 'done'})
  assert.equal(
    wait.events.map(event => event.type === 'state' && event.state.name),
    ['working', 'done'],
  )
  assert.is(wait.leftovers(), 0)
})

test('a quiet wait costs one look and no timer but its deadline', async () => {
  const wait = begin(view(agent('working')))
  await rest()
  assert.is(wait.clock.pending, 0)
  wait.clock.advance(86_400_000)
  await rest()
  assert.is(wait.watched.looks, 1)
  wait.controller.abort()
  await wait.ending.catch(() => {})

  const limited = begin(view(agent('working')), {timeoutMs: 60_000})
  await rest()
  limited.clock.advance(59_999)
  await rest()
  assert.equal([limited.watched.looks, limited.clock.pending], [1, 1])
  limited.clock.advance(1)
  assert.equal(await limited.ending, {outcome: 'timeout', state: 'working'})
  assert.equal([limited.watched.looks, limited.leftovers()], [2, 0])
})

test('a clock that somebody sets expires no deadline', async () => {
  const wait = begin(view(agent('working')), {timeoutMs: 60_000})
  await rest()
  wait.clock.setNow(wait.clock.now() + 86_400_000)
  wait.change(view(agent('working')))
  await rest()
  assert.equal([wait.watched.looks, wait.clock.pending], [2, 1])
  wait.change(view(agent('idle')))
  assert.equal(await wait.ending, {outcome: 'done', state: 'idle'})
})

test('what must hold for a time is looked at again when the time is over', async () => {
  const wait = begin(view(agent('waiting'), {queued: 1}))
  await rest()
  wait.clock.advance(30_001)
  const ending = await wait.ending
  assert.is('outcome' in ending && ending.outcome, 'needs_input')
  assert.is(wait.leftovers(), 0)
})

test('an abort ends it with its reason, even while a look is under way', async () => {
  const wait = begin(view(agent('working')), {timeoutMs: 60_000})
  await rest()
  wait.controller.abort(new Error('stop watching'))
  assert.is(await errorOf(wait.ending), 'stop watching')
  assert.is(wait.leftovers(), 0)

  const controller = new AbortController()
  const stuck = waitUntil({
    verb: 'wait',
    task: 't',
    agent: 'shell',
    clock: manualClock(),
    signal: controller.signal,
    view: () => new Promise<WaitView>(() => {}),
    changed: () => () => {},
  })
  controller.abort(new Error('stop watching'))
  assert.is(await errorOf(stuck), 'stop watching')
})

test('an abort from before the start looks at nothing', async () => {
  const looked = waitUntil({
    verb: 'wait',
    task: 't',
    agent: 'shell',
    clock: manualClock(),
    signal: AbortSignal.abort(new Error('too late')),
    view: assert.unreachable as () => WaitView,
    changed: assert.unreachable as () => () => void,
  })
  assert.is(await errorOf(looked), 'too late')
})

test('a look that fails ends the wait with its error, and nothing is left', async () => {
  const clock = manualClock()
  let listeners = 0
  const ending = waitUntil({
    verb: 'wait',
    task: 't',
    agent: 'shell',
    timeoutMs: 9,
    clock,
    view: () => Promise.reject(new Error('no store')),
    changed: () => {
      listeners++
      return () => void listeners--
    },
  })
  assert.is(await errorOf(ending), 'no store')
  assert.equal([clock.pending, listeners], [0, 0])
})

test('a change during a look is not missed, and many are one more look', async () => {
  const first = Promise.withResolvers<WaitView>()
  let notify = () => {}
  let looks = 0
  const ending = waitUntil({
    verb: 'wait',
    task: 't',
    agent: 'shell',
    clock: manualClock(),
    view: () => (++looks === 1 ? first.promise : view(agent('done'))),
    changed: ring => {
      notify = ring
      return () => {}
    },
  })
  for (let i = 0; i < 100; i++) notify()
  first.resolve(view(agent('working')))
  assert.equal(await ending, {outcome: 'done', state: 'done'})
  assert.is(looks, 2)
})

test.run()
