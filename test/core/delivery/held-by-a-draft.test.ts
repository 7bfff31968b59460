import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {tickDueAt} from '../../../src/core/delivery/confirmation-clock.ts'
import {nextDelivery} from '../../../src/core/delivery/next-delivery.ts'
import {begun, draft, run, tick, written} from './delivery-events.ts'

const held = run([begun, written(10), draft(20)]).delivery

test('a prompt that met a draft is held, and looked at again three seconds later without any sign of the agent', () => {
  assert.is(held.state, 'queued')
  assert.is(held.progress?.held, true)
  assert.is(tickDueAt(held), 3_020)
})

test('a look before that time leaves it held; one at that time lets it go again as the next attempt', () => {
  assert.is(nextDelivery(held, tick(3_019)).delivery, held)
  const {delivery} = nextDelivery(held, tick(3_020))
  assert.is(delivery.progress?.held, undefined)
  assert.is(delivery.attempt, held.attempt)
  assert.is(nextDelivery(delivery, begun).effects.length, 1)
})

test.run()
