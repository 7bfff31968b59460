import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {nearest} from '../../../src/core/text/nearest.ts'

const words = ['list', 'status', 'send', 'wait']

test('a letter missing, added, wrong or in its neighbour’s place is understood, in any case', () => {
  assert.equal(
    ['lst', 'liist', 'lust', 'lits', 'LIST', 'statsu', 'sned'].map(typed => nearest(typed, words)),
    ['list', 'list', 'list', 'list', 'list', 'status', 'send'],
  )
})

test('what is too far from everything is not guessed', () => {
  assert.equal(
    ['zzz', '', 'listing-everything'].map(typed => nearest(typed, words)),
    [undefined, undefined, undefined],
  )
  assert.is(nearest('x', []), undefined)
})

test.run()
