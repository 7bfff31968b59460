import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {newId} from '../../src/core/ids.ts'

test('an id is 12 characters that nobody misreads', () => {
  for (let i = 0; i < 1000; i++) assert.match(newId(), /^[a-hjkmnp-z2-9]{12}$/)
})

test('ids are all different and use the whole alphabet evenly', () => {
  const ids = Array.from({length: 5000}, newId)
  assert.is(new Set(ids).size, 5000)
  const counts = new Map<string, number>()
  for (const character of ids.join('')) counts.set(character, (counts.get(character) ?? 0) + 1)
  assert.is(counts.size, 31)
  const expected = (5000 * 12) / 31
  for (const [character, count] of counts)
    assert.ok(Math.abs(count - expected) < expected * 0.2, `${character}: ${count}`)
})

test.run()
