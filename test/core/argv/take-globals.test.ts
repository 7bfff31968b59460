import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {askedFormat, lookAtArgv, type Spelling, takeGlobals} from '../../../src/core/argv/take-globals.ts'
import {withoutWords} from '../../../src/core/argv/without-words.ts'
import {thrown} from '../../fixtures/thrown.ts'

const flags: Spelling[] = [
  {name: 'prompt', char: 'p', takesValue: true, freeText: true},
  {name: 'base', takesValue: true, freeText: false},
  {name: 'wait', takesValue: false, freeText: false},
]

test('global flags are taken before and after the verb', () => {
  assert.equal(takeGlobals(['--json', 'new', 'x', '--no-launch', '--wait'], flags), {
    ...{format: 'json', help: false, noLaunch: true},
    rest: ['new', 'x', '--wait'],
  })
})

for (const argv of [
  ['list', '--json'],
  ['--output-format', 'json', 'list'],
  ['list', '--output-format=json'],
  ['--json', 'list', '--output-format', 'json', '--json'],
]) {
  test(`json is asked for by ${argv.join(' ')}`, () => {
    assert.is(takeGlobals(argv).format, 'json')
    assert.equal(takeGlobals(argv).rest, ['list'])
  })
}

test('without a word about it the format is text', () => {
  assert.is(takeGlobals(['list']).format, 'text')
})

for (const [argv, pattern] of [
  [['--json', '--output-format', 'text'], /exclude each other/],
  [['--output-format=json', '--output-format=stream-json'], /exclude each other/],
  [['--output-format', 'yaml'], /takes text, json, stream-json, not "yaml"/],
  [['--output-format='], /nothing was given/],
  [['--output-format'], /nothing was given/],
] as const) {
  test(`${argv.join(' ')} is wrong usage, and text to tell that in`, () => {
    const error = thrown(() => takeGlobals(argv))
    assert.is(error.code, 'usage.invalid')
    assert.match(error.message, pattern)
    assert.is(askedFormat(argv), 'text')
  })
}

test('after -- nothing is global any more', () => {
  assert.equal(takeGlobals(['send', '--', '--json', '-h', '--no-launch']), {
    ...{format: 'text', help: false, noLaunch: false},
    rest: ['send', '--', '--json', '-h', '--no-launch'],
  })
})

test('the value of a flag is left alone whatever it looks like', () => {
  const argv = ['-p', '--json', '--prompt', '--help', '--base', '--no-launch']
  assert.equal(takeGlobals(argv, flags), {
    ...{format: 'text', help: false, noLaunch: false},
    rest: argv,
  })
  assert.equal(takeGlobals(['-p', '--output-format'], flags).rest, ['-p', '--output-format'])
  assert.is(takeGlobals(['--wait', '--json'], flags).format, 'json')
})

// agent-deck#1928: a value that was left out made the flag swallow the next one.
for (const word of ['--help', '-h']) {
  test(`${word} in the place of a value asks for help, but for free text`, () => {
    assert.is(takeGlobals(['new', '--base', word], flags).help, true)
    assert.is(takeGlobals(['new', '-p', word], flags).help, false)
    assert.is(takeGlobals(['new', '-p', 'x', word], flags).help, true)
  })
}

test('a wrong format does not keep one from help', () => {
  assert.is(takeGlobals(['list', '--help', '--output-format', 'yaml']).format, 'text')
  assert.is(takeGlobals(['list', '--help', '--output-format', 'json']).format, 'json')
})

test('the first look takes no offence at a prompt', () => {
  assert.equal(lookAtArgv(['--json', 'send', 'x', '-p', '--output-format']), {
    help: false,
    rest: ['send', 'x', '-p'],
  })
})

test('the format of a failure is the one that was asked for, and no prompt', () => {
  assert.is(askedFormat(['send', '-p', '--json', '--nope'], flags), 'text')
  assert.is(askedFormat(['send', '-p', 'x', '--json', '--nope'], flags), 'json')
  assert.is(askedFormat(['--output-format=stream-json', 'nope']), 'stream-json')
})

test('the words of a verb are taken out once each', () => {
  const argv = ['--json', 'project', '--no-launch', 'add', 'add', 'project']
  assert.equal(withoutWords(argv, ['project', 'add']), ['--json', '--no-launch', 'add', 'project'])
})

test.run()
