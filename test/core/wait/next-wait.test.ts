import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {agent, following, fresh, guess, send, view, watch} from './wait-views.ts'

const idle = view(agent('idle'))
const working = view(agent('working'))
const empty = view(undefined)

test('rule 1: a deadline that has passed is a timeout, even while a delivery report is pending', () => {
  assert.is(
    watch({timeoutMs: 1000}, [
      [0, working],
      [999, working],
    ]).wakeAt,
    1000,
  )
  assert.equal(
    watch({timeoutMs: 1000}, [
      [0, working],
      [1000, idle],
    ]).result,
    {outcome: 'timeout', state: 'idle'},
  )
  assert.is(
    watch({...send, timeoutMs: 1000}, [[1000, following(agent('idle'), 'written')]]).outcome,
    'timeout',
  )
})

test('rule 2: a delivery that the agent took is told once, and one that failed ends the wait with its reason', () => {
  const {events} = watch(send, [
    [0, following(agent('idle'), 'queued')],
    [10, following(agent('idle'), 'submitted')],
    [20, following(agent('working'), 'started')],
    [30, following(agent('idle'), 'settled')],
  ])
  assert.equal(
    events.map(event => (event.type === 'state' ? event.state.name : event.type)),
    ['idle', 'delivered', 'working', 'idle'],
  )
  for (const reason of ['agent-exited', 'not-confirmed', 'archived', 'pane-lost', 'cancelled'] as const) {
    const {result} = watch(send, [[0, following(agent('idle'), 'failed', {reason})]])
    assert.equal(result && {...result, detail: undefined}, {
      outcome: 'not_delivered',
      reason,
      state: 'idle',
      detail: undefined,
    })
  }
})

test('rule 2: without exact signals, 90 s of silence after the write are not delivered', () => {
  const silent = following(guess('idle'), 'written')
  assert.is(
    watch(send, [
      [0, silent],
      [90_000, silent],
    ]).outcome,
    undefined,
  )
  assert.is(watch(send, [[0, silent]]).wakeAt, 90_001)
  assert.is(
    watch(send, [
      [0, silent],
      [90_001, silent],
    ]).outcome,
    'not_delivered',
  )
  const exact = following(agent('idle'), 'written')
  assert.is(
    watch(send, [
      [0, exact],
      [1e9, exact],
    ]).outcome,
    undefined,
    'an exact delivery has its own clock',
  )
})

test('rule 3: an agent that was just started and does not show up within 15 s is an error', () => {
  const options = {verb: 'new'} as const
  assert.is(watch(options, [[0, empty]]).wakeAt, 15_001)
  assert.is(
    watch(options, [
      [0, empty],
      [15_000, empty],
    ]).failure,
    undefined,
  )
  assert.is(
    watch(options, [
      [0, empty],
      [15_001, empty],
    ]).failure,
    'internal',
  )
})

test('rule 4: a task or an agent must be gone for 15 s without a break', () => {
  const absent = view(undefined, {task: 'absent'})
  assert.is(
    watch({}, [
      [0, working],
      [10, absent],
      [15_010, absent],
    ]).failure,
    undefined,
  )
  assert.is(
    watch({}, [
      [0, working],
      [10, absent],
      [15_011, absent],
    ]).failure,
    'task.not-found',
  )
  assert.is(
    watch({}, [
      [0, working],
      [10, absent],
      [9000, working],
      [15_011, absent],
      [20_000, absent],
    ]).failure,
    undefined,
  )
  assert.is(
    watch({}, [
      [0, working],
      [10, empty],
      [15_010, empty],
    ]).failure,
    undefined,
  )
  assert.is(
    watch({}, [
      [0, working],
      [10, empty],
      [15_011, empty],
    ]).failure,
    'agent.gone',
  )
  assert.is(
    watch({}, [
      [0, working],
      [10, empty],
      [20, idle],
    ]).outcome,
    'done',
  )
})

test('rule 4: what is said to be archived or gone ends the wait at once', () => {
  assert.equal(
    watch({}, [
      [0, working],
      [10, view(undefined, {task: 'archived'})],
    ]).result,
    {
      failure: {code: 'task.archived', data: {name: 'web/fix'}},
    },
  )
  assert.equal(
    watch({}, [
      [0, working],
      [10, view(undefined, {gone: 'exit code 3'})],
    ]).result,
    {
      failure: {code: 'agent.gone', data: {task: 'web/fix', how: 'exit code 3'}},
    },
  )
  assert.is(
    watch({}, [
      [0, working],
      [10, view(agent('exited', {exitCode: 3}))],
    ]).failure,
    'agent.gone',
  )
  assert.is(
    watch({}, [
      [0, working],
      [10, view(agent('lost'))],
    ]).failure,
    'agent.gone',
  )
})

test('rule 5: wait at first sight refuses a task without a live agent', () => {
  for (const none of [
    empty,
    view(undefined, {gone: 'exit code 0'}),
    view(agent('exited')),
    view(agent('lost')),
  ]) {
    assert.is(watch({}, [[0, none]]).failure, 'agent.none')
  }
  const absent = view(undefined, {task: 'absent'})
  assert.is(
    watch({}, [
      [0, absent],
      [10, idle],
    ]).outcome,
    'done',
    'an empty view is no sight',
  )
})

test('rule 5: an agent without a settle signal is refused', () => {
  for (const options of [{}, send, fresh]) {
    assert.equal(watch(options, [[0, view(agent('unknown'), {capable: false})]]).result, {
      failure: {code: 'agent.no-signal', data: {agent: 'shell'}},
    })
  }
})

test('rule 6: a state is told when it changes, and what it waits for is part of it', () => {
  const asks = (waitingFor: 'question' | 'approval') => view(agent('waiting', {waitingFor}), {queued: 1})
  const {events} = watch({}, [
    [0, working],
    [1, view(agent('working', {since: 9}))],
    [2, empty],
    [3, working],
    [4, asks('question')],
    [5, asks('approval')],
    [6, asks('approval')],
  ])
  assert.equal(
    events.map(event => event.type === 'state' && (event.state.waitingFor ?? event.state.name)),
    ['working', 'question', 'approval'],
  )
})

test('to look again at the same moment changes nothing', () => {
  for (const seen of [working, empty, view(agent('unknown')), view(undefined, {task: 'absent'})]) {
    const options = {verb: 'new'} as const
    const once = watch(options, [[7, seen]])
    const twice = watch(options, [
      [7, seen],
      [7, seen],
    ])
    assert.equal([twice.state, twice.wakeAt, twice.events], [once.state, once.wakeAt, once.events])
  }
})

test('a wait never asks to be woken in the past', () => {
  const looks = [
    working,
    empty,
    view(agent('waiting'), {queued: 1}),
    view(undefined, {task: 'absent'}),
    view(agent('unknown')),
  ]
  for (const first of looks) {
    for (const second of looks) {
      for (const now of [1, 14_000, 29_000, 100_000]) {
        const {wakeAt} = watch({verb: 'new'}, [
          [0, first],
          [now, second],
        ])
        assert.ok(wakeAt === undefined || wakeAt > now)
      }
    }
  }
})

test.run()
