import {test} from 'uvu'
import * as assert from 'uvu/assert'
import type {AgentState, AgentStateName} from '../../../src/core/agent/types.ts'
import {isOpen, nextInQueue} from '../../../src/core/delivery/next-in-queue.ts'
import {begun, draft, queued, ready, run, started, submitted, written} from './delivery-events.ts'

const state = (name: AgentStateName, confidence: AgentState['confidence'] = 'exact'): AgentState => ({
  name,
  since: 0,
  confidence,
  evidence: {source: 'osc', at: 0, detail: ''},
})
const shell = {signal: 'osc'} as const
const silent = {signal: 'none'} as const
const first = queued()
const second = {...queued(), id: 'd2'}

test('the oldest goes first', () => {
  assert.is(nextInQueue([first, second], state('idle'), shell)?.id, 'd1')
  assert.is(nextInQueue([], state('idle'), shell), null)
})

test('a prompt goes only to an agent that is idle or done', () => {
  const names = ['starting', 'working', 'waiting', 'done', 'idle', 'exited', 'lost', 'unknown'] as const
  assert.equal(
    names.filter(name => nextInQueue([first], state(name), shell) !== null),
    ['done', 'idle'],
  )
  assert.is(nextInQueue([first], state('idle', 'heuristic'), shell), first)
})

test('an agent without signals gets its prompts at once, while it lives', () => {
  const names = ['starting', 'working', 'waiting', 'unknown', 'exited', 'lost'] as const
  assert.equal(
    names.filter(name => nextInQueue([first], state(name), silent) === null),
    ['exited', 'lost'],
  )
  const typed = run([begun, written(10)], queued('typed')).delivery
  assert.is(nextInQueue([typed, second], state('unknown'), silent), second)
  assert.not(isOpen(typed))
})

test('at most one is in flight', () => {
  for (const events of [
    [begun],
    [begun, written(1)],
    [begun, written(1), submitted(2)],
    [begun, written(1), submitted(2), started(3)],
  ]) {
    assert.is(nextInQueue([run(events).delivery, second], state('idle'), shell), null)
  }
})

test('a prompt that met a draft holds up those behind it until a fresh prompt', () => {
  const held = run([begun, written(10), draft(20)]).delivery
  assert.is(nextInQueue([held, second], state('idle'), shell), null)
  assert.is(nextInQueue([run([ready(30)], held).delivery, second], state('idle'), shell)?.id, 'd1')
})

test.run()
