import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {duration, freeText, text, textArg, toggle} from '../../../src/core/flags.ts'
import {jsonInput} from '../../../src/core/verb/json-input.ts'
import {sampleVerb} from '../../fixtures/sample-verb.ts'
import {thrown} from '../../fixtures/thrown.ts'

const verb = sampleVerb({
  args: {name: textArg('a name', {required: true})},
  flags: {
    'delivery-id': text({summary: 'id'}),
    prompt: freeText({summary: 'text'}),
    wait: toggle({summary: 'wait'}),
    timeout: duration({summary: 'timeout', key: 'timeoutMs', dependsOn: ['wait']}),
    yes: toggle({summary: 'yes', cliOnly: true}),
  },
})

function reasonOf(params: unknown): string {
  const error = thrown(() => jsonInput(verb, params))
  assert.is(error.code, 'usage.invalid')
  return error.message
}

test('keys are camelCase or their own, values are parsed ones', () => {
  assert.equal(jsonInput(verb, {name: 'x', deliveryId: 'd', wait: true, timeoutMs: 300_000}), {
    ...{name: 'x', 'delivery-id': 'd', wait: true, timeout: 300_000},
  })
})

test('null and a missing key are the same', () => {
  assert.equal(jsonInput(verb, {name: 'x', deliveryId: null, wait: undefined}), {name: 'x'})
})

test('a text that reads stdin in the CLI is a text in JSON', () => {
  assert.is(jsonInput(verb, {name: 'x', prompt: '-'}).prompt, '-')
})

for (const params of [[], 'x', 3, null, true]) {
  test(`params ${JSON.stringify(params)} are refused`, () => {
    assert.is(reasonOf(params), 'the params of sample.verb must be one JSON object')
  })
}

test('without params a required one is missing', () => {
  assert.is(reasonOf(undefined), '"name" is missing')
  assert.is(reasonOf({name: null}), '"name" is missing')
})

test('a key that is unknown, of the CLI alone, or spelled as a flag is refused with what there is', () => {
  for (const key of ['nope', 'yes', 'delivery-id', 'timeout', '__proto__x', 'constructor']) {
    assert.is(
      reasonOf({name: 'x', [key]: true}),
      `sample.verb has no argument "${key}"; it has name, deliveryId, prompt, wait, timeoutMs`,
    )
  }
})

test('a value and a relation are refused by their JSON names', () => {
  assert.match(reasonOf({name: 'x', wait: true, timeoutMs: '5m'}), /^"timeoutMs": /)
  assert.is(reasonOf({name: 'x', timeoutMs: 1}), '"timeoutMs" needs "wait"')
})

test('a verb without arguments takes none', () => {
  const bare = sampleVerb({})
  assert.equal(jsonInput(bare, undefined), {})
  assert.equal(jsonInput(bare, {}), {})
  assert.match(thrown(() => jsonInput(bare, {x: 1})).message, /it has none$/)
})

test.run()
