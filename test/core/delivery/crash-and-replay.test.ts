import {test} from 'uvu'
import * as assert from 'uvu/assert'
import type {AgentSignal} from '../../../src/core/agent/types.ts'
import {
  type DeliveryEvent,
  nextDelivery,
  outstandingEffects,
} from '../../../src/core/delivery/next-delivery.ts'
import {isInFlight} from '../../../src/core/delivery/next-in-queue.ts'
import type {Delivery} from '../../../src/core/delivery/types.ts'
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
  started,
  submitted,
  tick,
  unfinished,
  written,
} from './delivery-events.ts'

/** A small reproducible source of chance (mulberry32), so that a failure can be run again by its seed. */
function chance(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const makers: ((at: number) => DeliveryEvent)[] = [
  () => begun,
  at => written(at, 1),
  at => written(at, 2),
  at => written(at, 3),
  at => submitted(at),
  started,
  ended,
  ready,
  ready,
  asking,
  draft,
  at => rejected(at, 'd1'),
  at => rejected(at),
  unfinished,
  at => exited(at, 1),
  at => ({type: 'pane-lost', at}),
  at => ({type: 'cancelled', at}),
  tick,
  tick,
  tick,
]

/** Events in the order of their time, as the journal has them; all that ends a delivery at once is rare. */
function story(next: () => number): DeliveryEvent[] {
  let at = 1000
  return Array.from({length: 40}, () => {
    at += Math.floor(next() * 6000)
    const maker = makers[Math.floor(next() * (next() < 0.2 ? makers.length : 11))] as (typeof makers)[number]
    return next() < 0.2 ? tick(at) : maker(at)
  })
}

const stored = (delivery: Delivery): Delivery => JSON.parse(JSON.stringify(delivery))

test('a fold that goes on from any stored prefix ends the same', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const events = story(chance(seed))
    const whole = run(events)
    for (let cut = 0; cut <= events.length; cut += 3) {
      const before = run(events.slice(0, cut))
      const after = run(events.slice(cut), stored(before.delivery))
      assert.equal(after.delivery, whole.delivery, `seed ${seed}, cut ${cut}`)
      assert.equal([...before.inputs, ...after.inputs], whole.inputs, `seed ${seed}, cut ${cut}`)
    }
  }
})

test('an event that comes twice changes nothing the second time', () => {
  for (let seed = 1; seed <= 300; seed++) {
    let delivery = queued()
    for (const event of story(chance(seed))) {
      delivery = nextDelivery(delivery, event).delivery
      const again = nextDelivery(delivery, event)
      assert.equal(again.delivery, delivery, `seed ${seed}, ${event.type}`)
      assert.equal(again.effects, [], `seed ${seed}, ${event.type}`)
    }
  }
})

test('signals of the journal that are read once more change nothing', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const events = story(chance(seed))
    const next = chance(seed + 1000)
    let delivery = queued()
    const read: AgentSignal[] = []
    for (const event of events) {
      delivery = nextDelivery(delivery, event).delivery
      if ('evidence' in event) read.push(event)
      const old = read[Math.floor(next() * read.length)]
      // A signal that did not count before may count now, so only those before the last that did are replays.
      if (old === undefined || old.offset >= (delivery.progress?.readTo ?? 0) || old.type === 'exited')
        continue
      if (old.type === 'submitted' && delivery.submittedAt === undefined) continue
      assert.equal(nextDelivery(delivery, old), {delivery, effects: []}, `seed ${seed}, ${old.type}`)
    }
  }
})

test('no input id is ever written a second time, and nothing is written once the agent has it', () => {
  for (let seed = 1; seed <= 1000; seed++) {
    const seen = new Set<string>()
    let delivery = queued()
    for (const event of story(chance(seed))) {
      const step = nextDelivery(delivery, event)
      for (const effect of step.effects) {
        assert.not(seen.has(effect.inputId), `seed ${seed}: ${effect.inputId} twice`)
        if (effect.type === 'write') assert.is(delivery.submittedAt, undefined, `seed ${seed}`)
        seen.add(effect.inputId)
      }
      delivery = step.delivery
    }
  }
})

test('a delivery that has ended stays as it ended', () => {
  for (let seed = 1; seed <= 300; seed++) {
    let end: Delivery | undefined
    let delivery = queued()
    for (const event of story(chance(seed))) {
      delivery = nextDelivery(delivery, event).delivery
      if (end) assert.equal([delivery.state, delivery.reason], [end.state, end.reason], `seed ${seed}`)
      if (delivery.state === 'settled' || delivery.state === 'failed') end ??= delivery
    }
  }
})

/**
 * A host that writes an id once, a shell that loads a delivery once, keys that get eaten, acknowledgements that get
 * lost and a daemon that dies between any two steps: the prompt runs at most once, and exactly once if it settles.
 */
test('a daemon that dies anywhere delivers the prompt exactly once', () => {
  let settledCount = 0
  for (let seed = 1; seed <= 2000; seed++) {
    const next = chance(seed)
    const host = new Set<string>()
    const journal: DeliveryEvent[] = []
    let runs = 0
    let at = 1000
    let delivery = queued()
    let readTo = 0

    const press = (inputId: string) => {
      if (host.has(inputId)) return
      host.add(inputId)
      if (next() < 0.3) return // eaten by something
      if (next() < 0.2) return void journal.push(draft(at++), ready(at++))
      if (runs > 0) return // the shell refuses an id it has loaded before
      runs++
      journal.push(submitted(at++), started(at++), ended(at++), ready(at++))
    }
    const apply = (event: DeliveryEvent) => {
      const step = nextDelivery(delivery, event)
      delivery = stored(step.delivery)
      if (next() < 0.2) return // dies before the effects
      for (const effect of step.effects) {
        press(effect.inputId)
        if (next() < 0.7) apply({type: 'written', at: at++, inputId: effect.inputId})
      }
    }
    for (let turn = 0; turn < 200 && delivery.state !== 'settled' && delivery.state !== 'failed'; turn++) {
      if (!isInFlight(delivery)) apply(begun)
      // What a new daemon does first: the journal to its end, then what may have been left undone.
      while (readTo < journal.length && next() < 0.9) apply(journal[readTo++] as DeliveryEvent)
      if (readTo < journal.length) continue
      for (const {inputId} of outstandingEffects(delivery)) {
        press(inputId)
        if (next() < 0.7) apply({type: 'written', at: at++, inputId})
      }
      while (readTo < journal.length) apply(journal[readTo++] as DeliveryEvent)
      at += 2000
      apply(tick(at))
    }
    assert.ok(runs <= 1, `seed ${seed}: ran ${runs} times`)
    if (delivery.state === 'settled') settledCount++
    assert.is(delivery.state, runs === 1 ? 'settled' : 'failed', `seed ${seed}`)
  }
  assert.ok(settledCount > 1000)
})

test.run()
