import * as Flags from '@oclif/core/flags'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod'
import {choice, duration, freeText, integer, taskArg, tasksArg, toggle} from '../../../src/core/flags.ts'
import {inputSchema, resultSchema} from '../../../src/core/registry/json-schema.ts'
import {camelCase} from '../../../src/core/registry/loaded-verb.ts'
import {sampleVerb} from '../../fixtures/sample-verb.ts'

test('the input schema has JSON names and parsed values, and nothing of the CLI alone', () => {
  const verb = sampleVerb({
    args: {task: taskArg({access: 'see', explicit: true})},
    flags: {
      'max-age': duration({summary: 'age', key: 'maxAgeMs', maxMs: 1000}),
      'delivery-id': freeText({summary: 'text'}),
      lines: integer({summary: 'lines', min: 1, max: 5}),
      offset: integer({summary: 'offset', min: 0, max: Number.MAX_SAFE_INTEGER}),
      state: choice({summary: 'state', options: ['a', 'b']}),
      wait: toggle({summary: 'wait'}),
      follow: toggle({summary: 'follow', cliOnly: true}),
    },
  })
  assert.equal(inputSchema(verb), {
    type: 'object',
    properties: {
      task: {type: 'string', minLength: 1, description: 'id, name or project/name'},
      maxAgeMs: {type: 'integer', minimum: 0, maximum: 1000, description: 'age'},
      deliveryId: {type: 'string', description: 'text'},
      lines: {type: 'integer', minimum: 1, maximum: 5, description: 'lines'},
      offset: {type: 'integer', minimum: 0, description: 'offset'},
      state: {type: 'string', enum: ['a', 'b'], description: 'state'},
      wait: {type: 'boolean', description: 'wait'},
    },
    required: ['task'],
    additionalProperties: false,
  })
})

test('several tasks are an array', () => {
  const {properties} = inputSchema(sampleVerb({args: {tasks: tasksArg({access: 'see'})}}))
  const {tasks} = properties as Record<string, {type: string; items: object}>
  assert.is(tasks?.type, 'array')
  assert.equal(tasks?.items, {type: 'string', minLength: 1})
})

test('flags of oclif alone have a schema too', () => {
  const verb = sampleVerb({
    flags: {
      on: Flags.boolean({summary: 'on'}),
      one: Flags.option({summary: 'one', options: ['a', 'b'] as const})(),
      many: Flags.string({summary: 'many', multiple: true}),
    },
  })
  const {properties} = inputSchema(verb) as {properties: Record<string, Record<string, unknown>>}
  assert.is(properties.on?.type, 'boolean')
  assert.equal(properties.one?.enum, ['a', 'b'])
  assert.is(properties.many?.type, 'array')
})

test('the result schema is open, since results grow, and without a dialect', () => {
  const verb = sampleVerb({result: z.object({at: z.int(), note: z.string().optional()})})
  assert.equal(resultSchema(verb), {
    type: 'object',
    properties: {at: {type: 'integer'}, note: {type: 'string'}},
    required: ['at'],
  })
})

test('camelCase of a flag', () => {
  assert.equal(['max-age', 'a-b-c', 'wait'].map(camelCase), ['maxAge', 'aBC', 'wait'])
})

test.run()
