import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {allExits, commonExits, exitMeaning} from '../../src/core/help/exit-meanings.ts'
import {combineOutcomes} from '../../src/core/wait/combine-outcomes.ts'
import {outcomeExit} from '../../src/core/wait/outcome-exit.ts'

test('exit codes and their meanings are these', () => {
  assert.equal(Object.fromEntries(allExits.map(code => [code, exitMeaning(code)])), {
    0: 'done',
    1: 'error',
    2: 'wrong usage',
    3: 'the agent stopped and needs input',
    4: 'the daemon is not running and was not started',
    5: 'the CLI is switched off in the settings',
    6: 'refused: token missing, wrong or not allowed',
    7: '--timeout is over; the task goes on',
    8: 'the connection was lost',
    9: 'the prompt was never delivered',
    10: 'apply left conflicts',
    11: 'the attached terminal went away',
  })
})

test('any verb may end with these', () => {
  assert.equal([...commonExits], [0, 1, 2, 4, 5, 6, 8])
})

test('outcomes of a watched run exit with these', () => {
  assert.equal(outcomeExit, {done: 0, needs_input: 3, timeout: 7, lost: 8, not_delivered: 9})
})

test('a wait over several tasks exits with the first of 8, 9, 7, 3, 0 that occurs', () => {
  assert.is(combineOutcomes(['done', 'needs_input', 'timeout', 'not_delivered', 'lost']), 8)
  assert.is(combineOutcomes(['done', 'needs_input', 'timeout', 'not_delivered']), 9)
  assert.is(combineOutcomes(['done', 'needs_input', 'timeout']), 7)
  assert.is(combineOutcomes(['done', 'needs_input']), 3)
  assert.is(combineOutcomes(['done', 'done']), 0)
})

test.run()
