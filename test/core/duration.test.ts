import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {parseDuration, spanText} from '../../src/core/duration.ts'
import {thrown} from '../fixtures/thrown.ts'

for (const [text, ms] of [
  ['0', 0],
  ['90', 90_000],
  ['30s', 30_000],
  ['5m', 300_000],
  ['2h', 7_200_000],
  ['1h30m', 5_400_000],
  ['1h0m5s', 3_605_000],
] as const) {
  test(`${text} is ${ms} ms`, () => {
    assert.is(parseDuration(text, '--timeout'), ms)
  })
}

for (const text of [
  '',
  ' ',
  '5 m',
  '-1',
  '+1',
  '1.5h',
  '5M',
  '5d',
  'm',
  '30s5m',
  '5ms',
  '0x10',
  '1e3',
  '٣',
]) {
  test(`${JSON.stringify(text)} is no duration`, () => {
    const {code, message} = thrown(() => parseDuration(text, '--timeout'))
    assert.is(code, 'usage.invalid')
    assert.is(message, `--timeout: "${text}" is not a duration; write 90, 30s, 5m or 1h30m`)
  })
}

test('a span as a person says it', () => {
  const spans = [-5, 0, 499, 1_500, 59_000, 61_000, 3_599_000, 3_600_000, 47 * 3_600_000, 48 * 3_600_000]
  assert.equal(spans.map(spanText), [
    '0 s',
    '0 s',
    '0 s',
    '2 s',
    '59 s',
    '1 min',
    '60 min',
    '1 h',
    '47 h',
    '2 d',
  ])
})

test.run()
