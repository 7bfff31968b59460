import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {agent, following, fresh, guess, send, view, watch} from './wait-views.ts'

const idle = view(agent('idle'))

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

test('rule 8: a heuristic end is not believed while the agent shows work', () => {
  const busy = following(guess('working'), 'settled', {confirmed: 'echo', startedAt: 9})
  const {outcome, wakeAt} = watch(send, [
    [0, busy],
    [40_000, busy],
  ])
  assert.equal([outcome, wakeAt], [undefined, undefined], 'and no wakeup in the past is asked for')
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

function idleWithQueue() {
  return view(agent('idle'), {queued: 1})
}

test.run()
