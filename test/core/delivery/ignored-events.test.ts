import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {type DeliveryEvent, nextDelivery} from '../../../src/core/delivery/next-delivery.ts'
import type {Delivery} from '../../../src/core/delivery/types.ts'
import {
  asking,
  begun,
  draft,
  ended,
  exited,
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

const everyEvent: Record<string, DeliveryEvent> = {
  'write-begun': begun,
  written: written(100),
  submitted: submitted(100),
  started: started(100),
  ended: ended(100),
  ready: ready(100),
  asking: asking(100),
  draft: draft(100),
  rejected: rejected(100, 'd1'),
  unfinished: unfinished(100),
  exited: exited(100),
  'pane-lost': {type: 'pane-lost'},
  archived: {type: 'archived'},
  cancelled: {type: 'cancelled'},
  tick: tick(0),
}
const ignored: Record<string, {delivery: Delivery; events: string[]}> = {
  queued: {
    delivery: run([]).delivery,
    events: ['written', 'started', 'ended', 'ready', 'asking', 'draft', 'rejected', 'unfinished', 'tick'],
  },
  writing: {delivery: run([begun]).delivery, events: ['write-begun']},
  written: {delivery: run([begun, written(10)]).delivery, events: ['write-begun', 'written']},
  submitted: {
    delivery: run(taken).delivery,
    events: ['write-begun', 'written', 'submitted', 'asking', 'draft', 'cancelled', 'tick'],
  },
  started: {
    delivery: run(working).delivery,
    events: ['write-begun', 'written', 'submitted', 'started', 'asking', 'draft', 'cancelled', 'tick'],
  },
  settled: {delivery: run([...working, ready(50)]).delivery, events: Object.keys(everyEvent)},
  failed: {
    delivery: run([{type: 'archived'}]).delivery,
    events: Object.keys(everyEvent).filter(name => name !== 'submitted'),
  },
}
for (const [state, {delivery, events}] of Object.entries(ignored)) {
  test(`a ${state} delivery is not changed by: ${events.join(', ')}`, () => {
    for (const name of events) {
      const event = everyEvent[name] as DeliveryEvent
      const {delivery: after, effects} = nextDelivery(delivery, event)
      assert.is(after, delivery, name)
      assert.equal(effects, [], name)
    }
  })
  test(`a ${state} delivery is not changed by what concerns another delivery`, () => {
    const others = [
      signal(100, {type: 'submitted', deliveryId: 'd2'}),
      signal(100, {type: 'draft', deliveryId: 'd2'}),
      rejected(100, 'd2'),
    ]
    for (const event of others) assert.is(nextDelivery(delivery, event).delivery, delivery)
  })
}

test.run()
