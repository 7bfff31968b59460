import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {tickDueAt} from '../../../src/core/delivery/confirmation-clock.ts'
import {begun, queued, ready, run, started, submitted, tick, unfinished, written} from './delivery-events.ts'

const due = (...events: Parameters<typeof run>[0]) => tickDueAt(run(events).delivery)

test('a timer is asked for only while an answer is due', () => {
  assert.is(tickDueAt(queued()), undefined)
  assert.is(due(begun, written(1000)), 6000)
  assert.is(due(begun, written(1000), ready(2000)), 2250)
  assert.is(due(begun, written(1000), started(2000)), undefined, 'the clock stands still')
  assert.is(due(begun, written(1000), submitted(2000)), undefined)
  assert.is(due(begun, written(1000), submitted(2000), unfinished(3000)), 8000)
})

test('a tick at the time that was asked for always gets on', () => {
  let {delivery} = run([begun, written(1000)])
  for (let looks = 0; delivery.state !== 'failed'; looks++) {
    const now = tickDueAt(delivery)
    assert.ok(now !== undefined && looks < 30)
    const wasWriting = delivery.progress?.writing
    delivery = run(wasWriting ? [written(now, delivery.attempt)] : [tick(now)], delivery).delivery
  }
  assert.is(delivery.reason, 'not-confirmed')
})

test.run()
