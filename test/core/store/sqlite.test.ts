import {spawnSync} from 'node:child_process'
import {test} from 'uvu'
import * as assert from 'uvu/assert'

const module = new URL('../../../src/core/store/sqlite.ts', import.meta.url).href

test('loading SQLite says nothing on stderr, and every other warning is still heard', () => {
  const program = `
    const before = process.emitWarning
    await import(${JSON.stringify(module)})
    if (process.emitWarning !== before) throw new Error('emitWarning was not put back')
    process.emitWarning('heard', 'ExperimentalWarning')`
  const {status, stderr} = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  assert.is(status, 0, stderr)
  assert.match(stderr, /ExperimentalWarning: heard/)
  assert.not.match(stderr, /SQLite/)
})

test.run()
