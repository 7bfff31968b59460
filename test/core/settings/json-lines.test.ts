import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {jsonLines} from '../../../src/core/settings/json-lines.ts'

const isJson = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('it takes for JSON what JSON.parse takes, and nothing else', () => {
  const whole =
    '{"a": [1, -0.5e+3, true, null, "\\u00e9\\n\\"", {}], "é \u{1F9EA}": [[], {"b": {"c": false}}]}'
  const texts = [
    whole,
    `\n ${whole}\t`,
    '1',
    '""',
    '01',
    '1.',
    '+1',
    '.5',
    '"a\nb"',
    '"\\x"',
    '[1,]',
    '{,}',
    '{"a"}',
    '[]]',
    '\ufeff{}',
    '{a:1}',
    'nul',
  ]
  for (let cut = 0; cut < whole.length; cut++) texts.push(whole.slice(0, cut), whole.slice(cut))
  for (const text of texts)
    assert.is(jsonLines(text).errorLine === undefined, isJson(text), JSON.stringify(text))
})

test('a value is found in the line where it begins', () => {
  const {lines} = jsonLines('{\n"a": {\n"b": 1,\n"c":\n[2]}, "d": 3}')
  const at = (...path: string[]) => lines.get(JSON.stringify(path))
  assert.equal([at(), at('a'), at('a', 'b'), at('a', 'c'), at('d'), at('x')], [1, 2, 3, 5, 5, undefined])
})

test('of two equal names the last one counts, as for JSON.parse', () => {
  assert.is(jsonLines('{"a": 1,\n"a": 2}').lines.get('["a"]'), 2)
})

test.run()
