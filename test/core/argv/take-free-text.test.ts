import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {takeFreeText} from '../../../src/core/argv/take-free-text.ts'
import type {Spelling} from '../../../src/core/argv/take-globals.ts'
import {thrown} from '../../fixtures/thrown.ts'

const flags: Spelling[] = [
  {name: 'prompt', char: 'p', takesValue: true, freeText: true},
  {name: 'project', takesValue: true, freeText: false},
  {name: 'lines', char: 'n', takesValue: true, freeText: false},
  {name: 'wait', char: 'w', takesValue: false, freeText: false},
]

function taken(...argv: string[]): {prompt: string | undefined; rest: string[]} {
  const {texts, rest} = takeFreeText(argv, flags)
  return {prompt: texts.get('prompt'), rest}
}

const odd = [
  ...['-p is broken', '-please fix', '--help', '-h', '--json', '--', '-', '--wait', '-w', '--prompt', '-p'],
  ...[
    '',
    ' ',
    ' lead and trail ',
    'a\nb\r\nc\td',
    '日本語 👩‍👩‍👧 é',
    '=',
    '=x',
    '--output-format=json',
    'it\'s "$HOME"',
  ],
]
for (const text of odd) {
  test(`${JSON.stringify(text)} is a prompt in every spelling`, () => {
    assert.equal(taken('one', '-p', text, '--wait'), {prompt: text, rest: ['one', '--wait']})
    assert.equal(taken('--prompt', text, 'one'), {prompt: text, rest: ['one']})
    assert.equal(taken(`--prompt=${text}`), {prompt: text, rest: []})
    assert.equal(taken(`-p=${text}`), {prompt: text, rest: []})
    // `-p` alone takes the next word, and `-p=…` is the spelling above.
    if (text !== '' && !text.startsWith('=')) assert.equal(taken(`-p${text}`), {prompt: text, rest: []})
  })
}

test('the value of another flag is no prompt', () => {
  assert.equal(taken('--project', '-p', 'one'), {prompt: undefined, rest: ['--project', '-p', 'one']})
  assert.equal(taken('-n', '--prompt=x'), {prompt: undefined, rest: ['-n', '--prompt=x']})
  assert.equal(taken('--project=-p', '-p', 'x'), {prompt: 'x', rest: ['--project=-p']})
  assert.equal(taken('--wait', '-p', 'x'), {prompt: 'x', rest: ['--wait']})
})

test('after -- there is no prompt', () => {
  assert.equal(taken('--', '-p', 'x'), {prompt: undefined, rest: ['--', '-p', 'x']})
})

test('a longer flag that begins alike is not it', () => {
  assert.equal(taken('--prompts=x', '--promp', '--project', 'shop'), {
    prompt: undefined,
    rest: ['--prompts=x', '--promp', '--project', 'shop'],
  })
})

test('a text that is missing or given twice is wrong usage', () => {
  assert.match(thrown(() => taken('one', '-p')).message, /^--prompt needs a text/)
  assert.match(thrown(() => taken('-p', 'x', '--prompt=y')).message, /^--prompt was given twice/)
})

test.run()
