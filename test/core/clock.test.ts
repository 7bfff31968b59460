import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {realClock} from '../../src/core/clock.ts'
import {manualClock} from '../fixtures/manual-clock.ts'

test('a timer fires once its time has passed, and never when it was cancelled', async () => {
  const startedAt = realClock.monotonic()
  const cancelled = realClock.timer(1, () => assert.unreachable())
  cancelled.cancel()
  await new Promise<void>(resolve => void realClock.timer(20, resolve))
  assert.ok(realClock.monotonic() - startedAt >= 19)
})

// Node fires a timer of more than 2^31-1 ms after 1 ms.
test('a timer of months does not fire at once', async () => {
  const far = realClock.timer(2 ** 32, () => assert.unreachable())
  await new Promise<void>(resolve => void realClock.timer(20, resolve))
  far.cancel()
})

test('the manual clock fires what falls due in its order, at its own time, new timers too', () => {
  const clock = manualClock(1000)
  const fired: [string, number][] = []
  clock.timer(20, () => fired.push(['second', clock.monotonic()]))
  clock.timer(10, () => {
    fired.push(['first', clock.monotonic()])
    clock.timer(5, () => fired.push(['nested', clock.monotonic()]))
  })
  clock.timer(30, () => assert.unreachable()).cancel()
  clock.timer(100, () => fired.push(['late', clock.monotonic()]))
  clock.advance(50)
  assert.equal(fired, [
    ['first', 10],
    ['nested', 15],
    ['second', 20],
  ])
  assert.equal([clock.now(), clock.pending], [1050, 1])
})

test('setting the wall clock moves no timer', () => {
  const clock = manualClock(1000)
  let fired = false
  clock.timer(100, () => {
    fired = true
  })
  clock.setNow(10_000_000)
  assert.equal([clock.now(), clock.monotonic(), fired], [10_000_000, 0, false])
})

test.run()
