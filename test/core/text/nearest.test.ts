import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {nearest} from '../../../src/core/text/nearest.ts'

const words = ['list', 'status', 'send', 'wait']

test('a typing error is understood, in any case', () => {
  assert.equal(
    ['lst', 'lits', 'LIST', 'statsu', 'sned'].map(typed => nearest(typed, words)),
    [...['list', undefined, 'list', 'status', undefined]],
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
