import * as Flags from '@oclif/core/flags'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {duration, integer, tasksArg, text, textArg, toggle} from '../../../src/core/flags.ts'
import {checkInput, type Input, isGiven} from '../../../src/core/verb/check-input.ts'
import {sampleVerb} from '../../fixtures/sample-verb.ts'
import {thrown} from '../../fixtures/thrown.ts'

const verb = sampleVerb({
  args: {name: textArg('a name', {required: true}), tasks: tasksArg({access: 'see'})},
  flags: {
    lines: integer({summary: 'lines', min: 1, max: 10, exclusive: ['offset']}),
    offset: integer({summary: 'offset', min: 0, max: 10}),
    wait: toggle({summary: 'wait'}),
    timeout: duration({summary: 'timeout', key: 'timeoutMs', dependsOn: ['wait']}),
    label: text({summary: 'label'}),
    mode: Flags.option({options: ['a', 'b'] as const})(),
    many: Flags.string({multiple: true}),
  },
})

function reasonOf(input: Input, of = verb): string {
  return thrown(() => checkInput(of, {name: 'x', ...input}, ({name}) => `<${name}>`)).message
}

test('what is declared passes', () => {
  checkInput(verb, {name: 'x'}, String)
  const all = {lines: 10, wait: true, timeout: 0, label: ' ', mode: 'b', many: ['x'], tasks: ['a', 'b']}
  checkInput(verb, {name: 'x', ...all}, String)
})

test('a required one that is missing is named as its caller writes it', () => {
  assert.is(reasonOf({name: undefined}), '<name> is missing')
})

for (const [input, reason] of [
  [{lines: 0}, '<lines>: it must be at least 1'],
  [{lines: 11}, '<lines>: it must be at most 10'],
  [{lines: 1.5}, '<lines>: it must be a whole number'],
  [{lines: '3'}, '<lines>: it must be a number'],
  [{label: ''}, '<label>: it is empty'],
  [{name: 3}, '<name>: it must be a text'],
  [{mode: 'c'}, '<mode>: invalid option: expected one of "a"|"b"'],
  [{many: 'x'}, '<many>: it must be a list'],
  [{tasks: ['']}, '<tasks>: it is empty'],
  [{tasks: Array.from({length: 101}, () => 'x')}, '<tasks>: it must be at most 100 of them'],
  [{wait: true, timeout: -1}, '<timeout>: it must be at least 0'],
  [{wait: true, timeout: 2 ** 40}, `<timeout>: it must be at most ${30 * 24 * 3_600_000}`],
] as const) {
  test(`${JSON.stringify(input).slice(0, 60)} is refused by its schema`, () => {
    assert.is(reasonOf(input), reason)
  })
}

test('one that needs another is refused alone, also beside its false', () => {
  assert.is(reasonOf({timeout: 5}), '<timeout> needs <wait>')
  assert.is(reasonOf({timeout: 5, wait: false}), '<timeout> needs <wait>')
})

test('two that exclude each other are refused together', () => {
  assert.is(reasonOf({lines: 3, offset: 0}), '<lines> and <offset> exclude each other')
})

test('of some exactly one must be given', () => {
  const either = sampleVerb({
    flags: {
      file: Flags.string({exactlyOne: ['file', 'text']}),
      text: Flags.string({exactlyOne: ['file', 'text']}),
    },
  })
  const sentence = 'exactly one of <file>, <text> must be given'
  assert.is(reasonOf({}, either), sentence)
  assert.is(reasonOf({file: 'a', text: 'b'}, either), sentence)
  checkInput(either, {text: 'b'}, String)
})

test('false and an empty list are the same as leaving it out, zero and an empty text are not', () => {
  assert.equal([false, undefined, []].map(isGiven), [false, false, false])
  assert.equal([true, 0, '', ['']].map(isGiven), [true, true, true, true])
})

test.run()
