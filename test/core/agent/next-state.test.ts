import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {nextState} from '../../../src/core/agent/next-state.ts'
import type {AgentSignal, AgentState, EvidenceSource} from '../../../src/core/agent/types.ts'

type Said = AgentSignal extends infer S
  ? S extends AgentSignal
    ? Omit<S, 'at' | 'offset' | 'evidence' | 'confidence'>
    : never
  : never

function signal(at: number, said: Said, source: EvidenceSource = 'osc'): AgentSignal {
  const evidence = {source, at, detail: said.type}
  return {
    ...said,
    at,
    offset: at,
    evidence,
    confidence: source === 'quiet' || source === 'screen' ? 'heuristic' : 'exact',
  }
}

const starting: AgentState = {
  name: 'starting',
  since: 0,
  evidence: {source: 'none', at: 0, detail: ''},
  confidence: 'exact',
}

function after(signals: readonly AgentSignal[], from = starting): AgentState {
  return signals.reduce(nextState, from)
}

const ready: Said = {type: 'ready'}
const submitted: Said = {type: 'submitted', deliveryId: 'd1'}
const started: Said = {type: 'started'}
const ended: Said = {type: 'ended', exitCode: 1}
const asking: Said = {type: 'asking', for: 'approval'}
const rejected: Said = {type: 'rejected', deliveryId: 'd1', reason: 'x'}
const unfinished: Said = {type: 'unfinished'}

const table: readonly [sentence: string, said: Said[], name: AgentState['name']][] = [
  ['without a word it is starting', [], 'starting'],
  ['the first prompt makes it idle', [ready], 'idle'],
  ['a delivered prompt makes it work', [ready, submitted], 'working'],
  ['it works until it takes the next prompt', [ready, submitted, started, ended], 'working'],
  ['a delivered turn ends in done', [ready, submitted, started, ended, ready], 'done'],
  [
    'a further prompt without a turn leaves it done',
    [ready, submitted, started, ended, ready, ready],
    'done',
  ],
  ["a person's own turn ends in idle", [ready, started, ended, ready], 'idle'],
  [
    "a person's own turn after a delivered one ends in idle",
    [submitted, started, ready, started, ready],
    'idle',
  ],
  ['a question makes it wait', [ready, submitted, started, asking], 'waiting'],
  [
    'the answer to a question goes on with the delivered turn',
    [submitted, started, asking, started, ready],
    'done',
  ],
  ['a prompt that does not parse is a delivered turn as well', [ready, submitted, rejected, ready], 'done'],
  [
    'a prompt that was refused before it was taken holds up the next until the agent is ready',
    [ready, rejected],
    'working',
  ],
  ["a person's own refused line changes nothing", [ready, {type: 'rejected', reason: 'x'}], 'idle'],
  ['an unfinished prompt is under way', [ready, submitted, unfinished], 'working'],
  ['a draft changes nothing', [ready, {type: 'draft', deliveryId: 'd1'}], 'idle'],
  ['an end out of a turn changes nothing', [ready, ended], 'idle'],
  ['its end is final', [submitted, {type: 'exited', code: 3}, ready, started], 'exited'],
]

for (const [sentence, said, name] of table) {
  test(sentence, () => assert.is(after(said.map((said, index) => signal(index + 1, said))).name, name))
}

test('since is kept while the name is, and evidence is always the latest', () => {
  const state = after([signal(1, ready), signal(2, submitted), signal(3, started)])
  assert.is(state.since, 2)
  assert.is(state.evidence.at, 3)
  assert.is(after([signal(4, ended), signal(5, ready), signal(9, ready)], state).since, 5)
})

test('a new question is a new wait, the same one is not', () => {
  const approval = after([signal(1, started), signal(2, asking), signal(3, asking)])
  assert.is(approval.since, 2)
  assert.is(after([signal(4, {type: 'asking', for: 'login'})], approval).since, 4)
})

test('the exit code of the last turn stays until the next begins, and that of the program for good', () => {
  const done = after([signal(1, submitted), signal(2, started), signal(3, ended), signal(4, ready)])
  assert.is(done.exitCode, 1)
  assert.is(after([signal(5, started)], done).exitCode, undefined)
  assert.is(after([signal(5, {type: 'exited', code: 7})], done).exitCode, 7)
})

test('a signal that changes nothing gives the same object back', () => {
  const idle = after([signal(1, ready)])
  assert.is(nextState(idle, signal(2, {type: 'draft', deliveryId: 'd1'})), idle)
})

test('a lower source never overrides a fresher higher one', () => {
  const working = after([signal(10, started, 'hook')])
  for (const source of ['transcript', 'osc', 'screen', 'quiet'] as const) {
    assert.is(nextState(working, signal(10, ready, source)), working, source)
  }
  assert.is(nextState(working, signal(9, ready, 'screen')), working)
  // An interrupted agent says nothing by its hooks, only by its title or screen.
  assert.is(nextState(working, signal(11, ready, 'osc')).name, 'idle')
  assert.is(nextState(working, signal(9, ready, 'protocol')).name, 'idle')
})

test('quiet is not done while the agent itself says that it works or asks', () => {
  for (const source of ['protocol', 'hook', 'transcript', 'osc'] as const) {
    for (const said of [started, asking]) {
      const busy = after([signal(1, said, source)])
      assert.is(nextState(busy, signal(1e9, ready, 'quiet')), busy, source)
    }
  }
  assert.is(after([signal(1, started, 'screen'), signal(2, ready, 'quiet')]).name, 'idle')
  assert.is(after([signal(1, started, 'quiet'), signal(2, ready, 'quiet')]).name, 'idle')
})

test('of a pane that is lost only the end can still become known', () => {
  const lost: AgentState = {...starting, name: 'lost'}
  assert.is(nextState(lost, signal(1, ready)), lost)
  assert.is(nextState(lost, signal(1, {type: 'exited', code: 0}, 'process')).name, 'exited')
})

test.run()
