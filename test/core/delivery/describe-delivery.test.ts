import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {describeDelivery, describeFailure} from '../../../src/core/delivery/describe-delivery.ts'
import {
  begun,
  draft,
  ended,
  queued,
  ready,
  run,
  started,
  submitted,
  tick,
  written,
} from './delivery-events.ts'

const say = (...events: Parameters<typeof run>[0]) => describeDelivery(run(events).delivery)

test('each state has its sentence', () => {
  const working = [begun, written(1000), submitted(1010), started(1020)]
  assert.is(say(), 'queued; it goes when the agent is at its prompt')
  assert.is(say(begun), 'on its way to the agent')
  assert.is(say(begun, written(1000)), 'written; the agent has not confirmed it yet')
  assert.is(say(begun, written(1000), tick(6000)), 'on its way, attempt 2')
  assert.is(
    say(begun, written(1000), draft(1001)),
    'queued, since a person is typing at the prompt; it goes when that line was sent',
  )
  assert.is(say(...working.slice(0, 3)), 'the agent has the prompt')
  assert.is(
    say(begun, written(1000), submitted(1010, 'heuristic')),
    'the agent has the prompt (seen on the screen alone)',
  )
  assert.is(say(...working), 'the agent works on it')
  assert.is(say(...working, ended(1030, 3), ready(1040)), 'finished with exit code 3')
  assert.match(
    describeDelivery(run([begun, written(10)], queued('typed')).delivery),
    /^typed into the terminal; /,
  )
})

test('each failure says what happened first and the next step last', () => {
  const reasons = ['agent-exited', 'archived', 'not-confirmed', 'rejected', 'pane-lost', 'cancelled'] as const
  for (const reason of reasons) {
    for (const submittedAt of [undefined, 5]) {
      const sentence = describeFailure(reason, {detail: 'why', ...(submittedAt ? {submittedAt} : {})})
      assert.match(sentence, /^[a-z][^\n—]+; [^\n—]+[^.]$/)
    }
  }
  assert.is(
    say({type: 'cancelled'}),
    'cancelled before the agent took it; `termic send --again` sends it after all',
  )
})

test.run()
