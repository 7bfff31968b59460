import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {combineExits, combineOutcomes, firstEnded} from '../../../src/core/wait/combine-outcomes.ts'

test('of mixed outcomes the exit code goes by the order 8, 9, 7, 3, 0', () => {
  const order = ['lost', 'not_delivered', 'timeout', 'needs_input', 'done'] as const
  const exits = [8, 9, 7, 3, 0]
  for (let from = 0; from < order.length; from++) {
    assert.is(combineOutcomes(order.slice(from)), exits[from])
    assert.is(combineOutcomes(order.slice(from).reverse()), exits[from])
  }
  assert.is(combineOutcomes([]), 0)
})

test('a failed wait ranks right behind a lost connection', () => {
  assert.is(combineExits([0, 9, 1, 7]), 1)
  assert.is(combineExits([1, 8]), 8)
})

test('any is decided by the first that ended, and in one instant by the first that was named', () => {
  const at = (task: string, endedAt: number) => ({task, endedAt})
  assert.is(firstEnded([at('a', 9), at('b', 3), at('c', 3)])?.task, 'b')
  assert.is(firstEnded([]), undefined)
})

test.run()
