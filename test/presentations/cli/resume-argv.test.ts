import {fileURLToPath} from 'node:url'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import type {LoadedVerb} from '../../../src/core/registry/loaded-verb.ts'
import {Registry} from '../../../src/core/registry/registry.ts'
import {resumeArgv} from '../../../src/presentations/cli/resume-argv.ts'

const registry = await Registry.open(fileURLToPath(new URL('../../../src', import.meta.url)))
const log = (await registry.verb('task.log')) as LoadedVerb
const send = (await registry.verb('task.send')) as LoadedVerb

test('without flags it is the same call by its whole name', () => {
  assert.equal(resumeArgv(log, ['fix', '-f', '--json'], {}), ['task', 'log', 'fix', '-f', '--json'])
})

test('a flag takes the place of itself and of those that it excludes, in every spelling', () => {
  const next = {offset: '70'}
  const expected = ['task', 'log', '--offset', '70', 'fix', '-f']
  assert.equal(resumeArgv(log, ['fix', '-n', '5', '-f'], next), expected)
  assert.equal(resumeArgv(log, ['--lines=5', 'fix', '-f'], next), expected)
  assert.equal(resumeArgv(log, ['--offset', '3', 'fix', '-f'], next), expected)
  assert.equal(resumeArgv(log, ['fix', '--offset=3', '-f'], next), expected)
})

test('values of other flags and what follows -- are left alone', () => {
  const argv = ['--tab', '-n', '--', '--delivery-id', 'x']
  assert.equal(resumeArgv(send, argv, {'delivery-id': 'y'}), ['task', 'send', '--delivery-id', 'y', ...argv])
})

test.run()
