import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {nextDelivery, outstandingEffects} from '../../../src/core/delivery/next-delivery.ts'
import {
  asking,
  begun,
  draft,
  ended,
  exited,
  queued,
  ready,
  rejected,
  run,
  signal,
  started,
  submitted,
  tick,
  unfinished,
  written,
} from './delivery-events.ts'

const taken = [begun, written(10), submitted(20)]
const working = [...taken, started(30)]

test('a prompt goes from queued over written, submitted and started to settled, with the time of each', () => {
  const states = [begun, written(10), submitted(20), started(30), ended(40, 3), ready(50)]
  const seen: string[] = []
  let delivery = queued()
  for (const event of states) {
    delivery = nextDelivery(delivery, event).delivery
    seen.push(delivery.state)
  }
  assert.equal(seen, ['queued', 'written', 'submitted', 'started', 'started', 'settled'])
  const {writtenAt, submittedAt, startedAt, settledAt, exitCode, confirmed, progress} = delivery
  assert.equal([writtenAt, submittedAt, startedAt, settledAt, exitCode], [10, 20, 30, 50, 3])
  assert.is(confirmed, 'exact')
  assert.is(progress, undefined)
})

test('to begin a write names the input after the delivery and its attempt', () => {
  assert.equal(run([begun]).effects, [{type: 'write', inputId: 'd1.1', attempt: 1}])
})

test('the exit code of the fresh prompt outranks that of the last command', () => {
  assert.is(run([...working, ended(40, 1), signal(50, {type: 'ready', exitCode: 4})]).delivery.exitCode, 4)
})

test('a prompt of several lines settles at the prompt, with the exit code of its last command', () => {
  const {delivery} = run([...working, ended(40, 1), started(41), ended(50, 0)])
  assert.is(delivery.state, 'started')
  assert.is(run([ready(60)], delivery).delivery.exitCode, 0)
})

test('a prompt that starts nothing settles at the next prompt', () => {
  assert.is(run([...taken, ready(30)]).delivery.state, 'settled')
})

test('a confirmation by heuristics is called an echo', () => {
  assert.is(run([begun, written(10), submitted(20, 'heuristic')]).delivery.confirmed, 'echo')
})

test('a confirmation counts though the acknowledgement of the host was lost', () => {
  const {delivery} = run([begun, submitted(20), written(10)])
  assert.is(delivery.state, 'submitted')
  assert.is(delivery.writtenAt, 20)
})

test('a draft sends it back to the queue, and it goes again as the next attempt after a fresh prompt', () => {
  const {delivery} = run([begun, written(10), draft(20)])
  assert.equal([delivery.state, delivery.attempt, delivery.detail], ['queued', 2, 'a person is typing'])
  assert.equal(run([begun], delivery).effects, [], 'not before the fresh prompt')
  assert.equal(run([ready(30), begun], delivery).inputs, ['d1.2'])
})

test('a draft from before the write is no answer to it', () => {
  assert.is(run([begun, written(1000), draft(990)]).delivery.state, 'written')
})

test('drafts are no failures, however many there are', () => {
  let delivery = queued()
  for (let at = 0; at < 1000; at += 100) {
    delivery = run(
      [begun, written(at + 10, delivery.attempt), draft(at + 20), ready(at + 30)],
      delivery,
    ).delivery
  }
  assert.equal([delivery.state, delivery.attempt], ['queued', 11])
})

test('a fresh prompt after the write means that something ate the key: it is written again after a short grace', () => {
  const before = run([begun, written(1000), started(1001), ended(2000), ready(2000), tick(2200)])
  assert.equal(before.inputs, ['d1.1'])
  const after = run([tick(2250)], before.delivery)
  assert.equal(after.inputs, ['d1.2'])
  assert.is(after.delivery.state, 'queued')
})

test('a key that only lay behind what a person typed is not written twice', () => {
  const {delivery, inputs} = run([begun, written(1000), ready(1010), submitted(1012), tick(9000)])
  assert.is(delivery.state, 'submitted')
  assert.equal(inputs, ['d1.1'])
})

test('a prompt from before the write does not mean that the key was eaten', () => {
  assert.equal(run([begun, written(1000), ready(990), tick(1300)]).inputs, ['d1.1'])
})

test('what is not submitted within 5 s at the prompt is written again', () => {
  const early = run([begun, written(1000), tick(5999)])
  assert.equal(early.inputs, ['d1.1'])
  assert.equal(run([tick(6000)], early.delivery).inputs, ['d1.2'])
})

test('after three attempts it fails as not confirmed', () => {
  const {delivery, inputs} = run([
    ...[begun, written(1000), tick(6000)],
    ...[written(6001, 2), tick(11_001)],
    ...[written(11_002, 3), tick(16_002)],
  ])
  assert.equal(inputs, ['d1.1', 'd1.2', 'd1.3'])
  assert.equal([delivery.state, delivery.reason], ['failed', 'not-confirmed'])
})

test('after 90 s in all without an answer it fails as not confirmed', () => {
  const looks = Array.from({length: 18}, (_, i) => tick(1000 + (i + 1) * 5000))
  const before = run([begun, written(1000), asking(1000), ...looks.slice(0, -1)])
  assert.is(before.delivery.state, 'written')
  assert.equal(before.inputs, ['d1.1'], 'nothing is written into a question')
  const after = run(looks.slice(-1), before.delivery).delivery
  assert.equal([after.state, after.reason], ['failed', 'not-confirmed'])
})

test('90 s without an acknowledgement of the host are not confirmed either', () => {
  const looks = Array.from({length: 20}, (_, i) => tick(1000 + i * 5000))
  assert.is(run([begun, ...looks]).delivery.reason, 'not-confirmed')
})

test("the clock stands still while a person's command works", () => {
  const looks = Array.from({length: 1000}, (_, i) => tick(1000 + i * 5000))
  const {delivery, inputs} = run([begun, written(1000), started(1001), ...looks])
  assert.is(delivery.state, 'written')
  assert.equal(inputs, ['d1.1'])
})

test('a jump of the clock, a sleep or a dead daemon expires nothing at once', () => {
  const {delivery} = run([begun, written(1000), asking(1000), tick(3_600_000)])
  assert.is(delivery.state, 'written')
  assert.is(run([tick(0), tick(1)], delivery).delivery.state, 'written')
})

test('a rejected prompt failed, with the reason and the exit code, and counts as delivered', () => {
  for (const before of [[begun, written(10)], taken, working]) {
    const {delivery} = run([...before, rejected(40, 'd1')])
    assert.equal([delivery.state, delivery.reason, delivery.exitCode], ['failed', 'rejected', 2])
    assert.is(delivery.detail, 'syntax error near `)`')
    assert.type(delivery.submittedAt, 'number')
  }
})

test("a person's own typing error does not reject a prompt that the agent has not taken", () => {
  assert.is(run([begun, written(10), rejected(20)]).delivery.state, 'written')
})

test('an unfinished prompt gets one Ctrl-C and is rejected at the next prompt', () => {
  const waiting = run([...working, unfinished(40), unfinished(41)])
  assert.equal(waiting.effects.slice(1), [{type: 'interrupt', inputId: 'd1.1.interrupt'}])
  assert.equal(outstandingEffects(waiting.delivery), [{type: 'interrupt', inputId: 'd1.1.interrupt'}])
  const {delivery} = run([ended(50, 130), ready(60)], waiting.delivery)
  assert.equal([delivery.state, delivery.reason, delivery.exitCode], ['failed', 'rejected', 130])
  assert.match(delivery.detail ?? '', 'unfinished')
})

test('an unfinished prompt is rejected after 5 s though Ctrl-C had no answer', () => {
  const {delivery} = run([...taken, unfinished(1000), tick(5999)])
  assert.is(delivery.state, 'submitted')
  assert.is(run([tick(6000)], delivery).delivery.reason, 'rejected')
})

test("a person's unfinished line gets no Ctrl-C", () => {
  assert.equal(run([begun, written(10), unfinished(20)]).inputs, ['d1.1'])
})

test('an agent that ends fails what it had not taken', () => {
  for (const before of [[], [begun], [begun, written(10)], [begun, written(10), draft(20)]]) {
    const {delivery} = run([...before, exited(30, 1)])
    assert.equal([delivery.state, delivery.reason], ['failed', 'agent-exited'])
  }
})

test('an agent that ends with the prompt in its hands settles it with its exit code', () => {
  for (const before of [taken, working]) {
    const {delivery} = run([...before, exited(40, 3)])
    assert.equal([delivery.state, delivery.exitCode, delivery.detail], ['settled', 3, 'the agent exited'])
  }
})

test('a prompt typed to an agent without signals is submitted, unconfirmed, and stays so', () => {
  const {delivery} = run([begun, {type: 'written', at: 10}], queued('typed'))
  assert.equal([delivery.state, delivery.confirmed, delivery.submittedAt], ['submitted', 'no', 10])
  const later = [
    started(20),
    ended(30),
    ready(40),
    exited(50),
    {type: 'archived'},
    {type: 'pane-lost'},
  ] as const
  for (const event of [...later, tick(1e9)]) assert.is(nextDelivery(delivery, event).delivery, delivery)
})

test('a lost pane and an archived task fail whatever is open', () => {
  for (const type of ['pane-lost', 'archived'] as const) {
    for (const before of [[], [begun], [begun, written(10)], taken, working]) {
      const {delivery} = run([...before, {type, at: 90}])
      assert.equal([delivery.state, delivery.reason, delivery.settledAt], ['failed', type, 90])
      assert.is(delivery.submittedAt !== undefined, before.length > 2)
    }
  }
})

test('a prompt can be cancelled until the agent has it, or its bytes are on the way', () => {
  for (const before of [[], [begun], [begun, written(10)]]) {
    assert.is(run([...before, {type: 'cancelled'}]).delivery.reason, 'cancelled')
  }
  for (const before of [taken, working]) {
    assert.is(run([...before, {type: 'cancelled'}]).delivery.state, run(before).delivery.state)
  }
  assert.is(run([begun, {type: 'cancelled'}], queued('typed')).delivery.state, 'queued')
})

test('a prompt that the agent took after termic gave it up stays failed and says so', () => {
  const {delivery} = run([begun, written(10), {type: 'cancelled', at: 15}, submitted(20)])
  assert.equal([delivery.state, delivery.submittedAt], ['failed', 20])
  assert.match(delivery.detail ?? '', 'after all')
})

test('a late acknowledgement of the former attempt is not taken for one of this attempt', () => {
  assert.is(run([begun, written(10), draft(20), ready(30), begun, written(10, 1)]).delivery.state, 'queued')
})

test('after a crash a begun write is done again under the same id', () => {
  assert.equal(outstandingEffects(run([begun]).delivery), run([begun]).effects)
  for (const events of [[], [begun, written(10)], taken, working, [...working, ready(50)]]) {
    assert.equal(outstandingEffects(run(events).delivery), [])
  }
})

test.run()
