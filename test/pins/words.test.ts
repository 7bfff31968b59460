import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {evidenceSources} from '../../src/core/agent/types.ts'
import {outputFormats} from '../../src/core/argv/take-globals.ts'
import * as results from '../../src/core/results.ts'
import {patterns} from '../../src/core/settings/settings-schema.ts'

/** Words that scripts compare with: a word may be added, none may change its meaning or go. */

test('sources of evidence, in falling rank', () => {
  assert.equal(
    [...evidenceSources],
    ['process', 'protocol', 'hook', 'transcript', 'osc', 'screen', 'quiet', 'none'],
  )
})

test('states of an agent', () => {
  assert.equal(results.agentState.shape.name.options, [
    'starting',
    'working',
    'waiting',
    'done',
    'idle',
    'exited',
    'lost',
    'unknown',
    'inactive',
  ])
  assert.equal(results.agentState.shape.confidence.options, ['exact', 'heuristic'])
  assert.equal(results.agentState.shape.waitingFor.unwrap().options, [
    'question',
    'approval',
    'trust',
    'login',
    'limit',
  ])
})

test('states of a delivery', () => {
  assert.equal(results.delivery.shape.state.options, [
    'queued',
    'written',
    'submitted',
    'started',
    'settled',
    'failed',
  ])
  assert.equal(results.delivery.shape.confirmed.options, ['exact', 'echo', 'no'])
})

test('outcomes of a wait', () => {
  assert.equal(results.waitResult.shape.outcome.options, [
    'done',
    'needs_input',
    'timeout',
    'not_delivered',
    'lost',
  ])
})

test('kinds of a pane', () => {
  assert.equal(results.pane.shape.kind.options, ['agent', 'shell', 'command', 'browser'])
})

test('output formats', () => {
  assert.equal([...outputFormats], ['text', 'json', 'stream-json'])
})

test('settings', () => {
  assert.equal(
    [...patterns],
    ['cli.enabled', 'tasksPath', 'agent', 'log.limitBytes', 'limits.livePanes', 'agents.<id>.command'],
  )
})

test.run()
