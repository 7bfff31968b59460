import {stripVTControlCharacters} from 'node:util'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {Spinner} from '../../../src/presentations/cli/spinner.ts'
import {until} from '../../fixtures/until.ts'

function newSpinner(columns = 80): {spinner: Spinner; written: string[]} {
  const written: string[] = []
  const spinner = new Spinner(async text => void written.push(text), columns)
  return {spinner, written}
}

test('work that ends at once shows nothing', async () => {
  const {spinner, written} = newSpinner()
  spinner.step('one')
  spinner.step('two')
  await spinner.end()
  assert.equal(written, [])
})

test('work that takes a while is one line with its step and its time, erased at the end', async () => {
  const {spinner, written} = newSpinner()
  spinner.step('making the worktree')
  await until('it is shown twice', () => written.length >= 2)
  await spinner.end()
  assert.match(stripVTControlCharacters(written[0] ?? ''), /^\r. making the worktree \(0\.\d s\)$/)
  assert.ok(written.every(text => text.startsWith('\r\x1b[K')))
  assert.is(written.at(-1), '\r\x1b[K')
  await spinner.end()
  assert.is(written.filter(text => text === '\r\x1b[K').length, 1)
})

test('a step that is wider than the terminal is shortened, so that its line can be erased', async () => {
  for (const step of ['x'.repeat(100), '日本語'.repeat(30)]) {
    const {spinner, written} = newSpinner(40)
    spinner.step(step)
    await until('it is shown', () => written.length > 0)
    await spinner.end()
    const shown = stripVTControlCharacters(written[0] ?? '').replace('\r', '')
    assert.match(shown, /… \(0\.\d s\)$/)
    const cells = [...shown].reduce((sum, character) => sum + (/[日本語]/.test(character) ? 2 : 1), 0)
    assert.ok(cells < 40 && cells > 35, `${cells}`)
  }
})

test.run()
