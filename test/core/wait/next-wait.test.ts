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

test('rule 7: a queued prompt is alive as long as its row is there', () => {
  const queued = following(agent('working'), 'queued')
  assert.is(
    watch(send, [
      [0, queued],
      [3_600_000, queued],
    ]).outcome,
    undefined,
  )
  assert.is(watch(send, [[0, queued]]).wakeAt, undefined, 'and costs no wakeup')
})

test('rule 7: a prompt whose row is gone for 30 s was not delivered', () => {
  assert.is(
    watch(send, [
      [0, idle],
      [30_000, idle],
    ]).outcome,
    undefined,
  )
  assert.is(
    watch(send, [
      [0, idle],
      [30_001, idle],
    ]).outcome,
    'not_delivered',
  )
  assert.is(
    watch(send, [
      [0, idle],
      [9, following(agent('idle'), 'queued')],
      [30_001, idle],
    ]).outcome,
    undefined,
  )
})

test('rule 7: an agent that asks for 30 s while prompts wait for it needs input, and they stay queued', () => {
  const asking = agent('waiting', {waitingFor: 'trust'})
  for (const [options, blocked] of [
    [{}, view(asking, {queued: 1})],
    [send, following(asking, 'queued')],
    [fresh, following(asking, 'written')],
  ] as const) {
    assert.is(
      watch(options, [
        [0, blocked],
        [30_000, blocked],
      ]).outcome,
      undefined,
    )
    assert.is(watch(options, [[0, blocked]]).wakeAt, 30_001)
    assert.equal(
      watch(options, [
        [0, blocked],
        [30_001, blocked],
      ]).result,
      {
        outcome: 'needs_input',
        state: 'waiting',
        detail: 'it asks whether to trust the directory; the prompt stays queued',
      },
    )
  }
})

test('rule 8: wait is done when the agent has settled and its queue is empty, and not before', () => {
  for (const name of ['idle', 'done'] as const) {
    assert.equal(watch({}, [[0, view(agent(name))]]).result, {outcome: 'done', state: name})
    assert.is(watch({}, [[0, view(agent(name), {queued: 1})]]).outcome, undefined)
    assert.is(watch({}, [[0, view(guess(name))]]).outcome, 'done')
  }
  for (const name of ['starting', 'working', 'unknown'] as const) {
    assert.is(watch({}, [[0, view(agent(name))]]).outcome, undefined)
  }
})

test('rule 8: a delivery that one follows decides by its own settling, not by a state that may be stale', () => {
  for (const name of ['queued', 'written', 'submitted', 'started'] as const) {
    const stale = following(agent('done'), name)
    assert.is(
      watch(send, [
        [0, stale],
        [3_600_000, stale],
      ]).outcome,
      undefined,
    )
  }
  const settled = following(agent('working'), 'settled', {exitCode: 3})
  assert.equal(watch(send, [[0, settled]]).result, {outcome: 'done', state: 'working', exitCode: 3})
})

test('rule 8: a delivery that one follows does not wait for those behind it', () => {
  const settled = {...following(agent('working'), 'settled'), queued: 2}
  assert.is(watch(send, [[0, settled]]).outcome, 'done')
})

test('rule 8: a heuristic end is believed once work was seen, or 30 s after the delivery', () => {
  const submitted = following(guess('idle'), 'submitted', {confirmed: 'echo'})
  const settled = following(guess('done'), 'settled', {confirmed: 'echo'})
  const busy = following(guess('working'), 'submitted', {confirmed: 'echo'})
  assert.is(
    watch(send, [
      [0, submitted],
      [10, settled],
      [30_000, settled],
    ]).outcome,
    undefined,
  )
  assert.is(
    watch(send, [
      [0, submitted],
      [10, settled],
    ]).wakeAt,
    30_001,
  )
  assert.is(
    watch(send, [
      [0, submitted],
      [10, settled],
      [30_001, settled],
    ]).outcome,
    'done',
  )
  assert.is(
    watch(send, [
      [0, submitted],
      [5, busy],
      [10, settled],
    ]).outcome,
    'done',
  )
  assert.is(
    watch(send, [[0, following(guess('done'), 'settled', {confirmed: 'echo', startedAt: 9})]]).outcome,
    'done',
  )
  assert.is(
    watch(fresh, [
      [0, submitted],
      [10, settled],
    ]).outcome,
    'done',
    'a new agent shows no former turn',
  )
})

test('rule 8: work on the former turn does not prove a prompt that waited behind it', () => {
  const settled = following(guess('done'), 'settled', {confirmed: 'echo'})
  assert.is(
    watch(send, [
      [0, following(guess('working'), 'queued')],
      [10, settled],
    ]).outcome,
    undefined,
  )
})

test('rule 8: an agent that went away is never done, unless it took the delivery with it', () => {
  const gone = {gone: 'exit code 3'}
  assert.is(
    watch({}, [
      [0, idleWithQueue()],
      [10, view(undefined, gone)],
    ]).failure,
    'agent.gone',
  )
  const settled = {...following(undefined, 'settled', {exitCode: 3, detail: 'the agent exited'}), ...gone}
  assert.equal(watch(send, [[0, settled]]).result, {outcome: 'done', detail: 'the agent exited', exitCode: 3})
  assert.is(watch(send, [[0, {...following(undefined, 'started'), ...gone}]]).failure, 'agent.gone')
  assert.is(watch(send, [[0, {...following(undefined, 'queued'), ...gone}]]).outcome, 'not_delivered')
})

test('rule 9: an agent that waits for a person needs input', () => {
  const approval = agent('waiting', {waitingFor: 'approval'})
  const needed = {outcome: 'needs_input', state: 'waiting', detail: 'it asks for an approval'}
  assert.equal(watch({}, [[0, view(approval)]]).result, needed)
  assert.equal(watch({}, [[0, view(approval, {queued: 1, undelivered: 0})]]).result, needed)
  assert.equal(watch(send, [[0, following(approval, 'started')]]).result, needed)
})

test('rule 10: a state that nobody knows for 120 s is an error, an agent that is idle for long is not', () => {
  const unknown = view(agent('unknown'))
  assert.is(
    watch({}, [
      [0, unknown],
      [120_000, unknown],
    ]).failure,
    undefined,
  )
  assert.is(
    watch({}, [
      [0, unknown],
      [120_001, unknown],
    ]).failure,
    'internal',
  )
  const waitsForDraft = idleWithQueue()
  assert.is(
    watch({}, [
      [0, waitsForDraft],
      [1e9, waitsForDraft],
    ]).failure,
    undefined,
  )
})

test('a rejected prompt was delivered and its turn is over: done, with the exit code and the reason', () => {
  const failed = {reason: 'rejected', exitCode: 2, detail: 'syntax error', submittedAt: 5} as const
  const {result, events} = watch(send, [[0, following(agent('idle'), 'failed', failed)]])
  assert.equal(result, {
    outcome: 'done',
    state: 'idle',
    exitCode: 2,
    reason: 'rejected',
    detail: 'the agent refused the prompt (syntax error); correct it and send it again',
  })
  assert.equal(events[0], {type: 'delivered', deliveryId: 'd1'})
})

test('a task that is archived ends a follower by whether its prompt was delivered', () => {
  const archived = {task: 'archived', state: undefined} as const
  assert.is(watch(send, [[0, {...following(undefined, 'queued'), ...archived}]]).outcome, 'not_delivered')
  assert.is(watch(send, [[0, {...following(undefined, 'started'), ...archived}]]).failure, 'task.archived')
  const late = following(undefined, 'failed', {reason: 'archived', submittedAt: 5})
  assert.is(watch(send, [[0, {...late, ...archived}]]).failure, 'task.archived')
})

test('a pane that is lost in mid-turn is an agent that went away', () => {
  const lost = following(agent('lost'), 'failed', {reason: 'pane-lost', submittedAt: 5})
  assert.is(watch(send, [[0, lost]]).failure, 'agent.gone')
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

function idleWithQueue() {
  return view(agent('idle'), {queued: 1})
}

test.run()
