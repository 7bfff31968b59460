import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {asTermicError, errorTable, fail, sentenceOf, TermicError} from '../../src/core/errors.ts'
import {thrown} from '../fixtures/thrown.ts'

test('a sentence is filled from the data, and an absent value leaves nothing behind', () => {
  assert.is(sentenceOf('task.not-found', {name: 'x'}), 'no task named x; `termic list` shows them')
  assert.is(
    sentenceOf('usage.unknown-verb', {verb: 'x'}),
    'there is no verb "x"; `termic help` lists the verbs',
  )
  assert.is(
    sentenceOf('agent.none', {task: '{name}', resume: undefined}),
    sentenceOf('agent.none', {task: '{name}'}),
  )
})

test('fail throws the code with its exit, data, sentence and cause', () => {
  const cause = new Error('why')
  const error = thrown(() => fail('daemon.lost', {what: ' here'}, cause))
  assert.equal([error.code, error.exit, error.data], ['daemon.lost', 8, {what: ' here'}])
  assert.match(error.message, /was lost here; /)
  assert.is(error.cause, cause)
})

test('an expected failure stays what it is', () => {
  const error = new TermicError('git.missing')
  assert.is(asTermicError(error), error)
})

test('what was not expected is internal, in one line, with its cause and where the details are', () => {
  const fault = new Error('first line\nsecond line')
  const error = asTermicError(fault, '/log')
  assert.equal([error.code, error.exit, error.cause], ['internal', 1, fault])
  assert.is(error.message, 'termic failed in a way it did not expect (first line); /log has the details')
  for (const odd of ['text', undefined, null, 7, {}]) assert.is(asTermicError(odd).code, 'internal')
})

test('a full or read-only disk is told as such, whoever met it', () => {
  for (const [code, expected] of [
    ['ENOSPC', 'data.full'],
    ['EDQUOT', 'data.full'],
    ['EROFS', 'data.read-only'],
  ] as const) {
    const error = asTermicError(Object.assign(new Error('x'), {code, path: '/data/x'}))
    assert.is(error.code, expected)
    assert.match(error.message, /\/data\/x/)
  }
})

test('every sentence has a next step, and every placeholder is a word', () => {
  for (const [code, {sentence}] of Object.entries(errorTable)) {
    assert.not.match(sentence.replace(/\{\w+\}/g, ''), /[{}]/, code)
    assert.not.match(sentence, / {2}|\s$|^\s/, code)
  }
})

test.run()
