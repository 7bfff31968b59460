import {appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {openDaemonLog} from '../../../src/core/daemon/daemon-log.ts'
import {TermicError} from '../../../src/core/errors.ts'
import {privateDir} from '../../fixtures/private-dir.ts'

function newLog(options = {}) {
  const dir = privateDir()
  const path = join(dir, 'daemon.log')
  const log = openDaemonLog(path, {now: () => 0, ...options})
  const lines = () => readFileSync(path, 'utf8').split('\n').slice(0, -1)
  return {dir, path, log, lines}
}

test('an entry is one line: time, level, text', () => {
  const {path, log, lines} = newLog()
  log.info('started')
  log.warn('two\nlines\r\nand \x1b[31mcolour')
  assert.equal(lines(), [
    '1970-01-01T00:00:00.000Z info started',
    '1970-01-01T00:00:00.000Z warn two\\nlines\\nand \\x1b[31mcolour',
  ])
  assert.is(statSync(path).mode & 0o777, 0o600)
  log.close()
})

test('what was thrown comes with stack and causes', () => {
  const {log, lines} = newLog()
  log.error('uncaught', new Error('outer', {cause: new TermicError('task.not-found', {name: 'x'})}))
  log.error('odd', 'a text')
  assert.match(lines()[0] ?? '', /error uncaught: Error: outer\\n {4}at .*task\.not-found/)
  assert.match(lines()[1] ?? '', /error odd: a text$/)
  log.close()
})

test('no token gets in, a commit id does', () => {
  const {log, lines} = newLog()
  const [token, commit] = ['0f'.repeat(32), 'ab'.repeat(20)]
  log.info(`token ${token}, ${token.toUpperCase()}`)
  log.error('failed', new Error(`auth=${token} at ${commit}`))
  assert.not.match(lines().join('\n'), new RegExp(token, 'i'))
  assert.match(lines()[0] ?? '', /token \[redacted\], \[redacted\]$/)
  assert.match(lines()[1] ?? '', new RegExp(commit))
  log.close()
})

test('a full file is set aside, and so many are kept', () => {
  const {dir, path, log} = newLog({limitBytes: 200, keep: 3})
  for (let i = 0; i < 40; i++) log.info(`entry ${i} ${'x'.repeat(40)}`)
  assert.equal(readdirSync(dir).sort(), ['daemon.log', 'daemon.log.1', 'daemon.log.2', 'daemon.log.3'])
  for (const name of readdirSync(dir)) assert.ok(statSync(join(dir, name)).size <= 200)
  assert.match(readFileSync(path, 'utf8'), /entry 39/)
  assert.match(readFileSync(`${path}.1`, 'utf8'), /entry 37/)
  log.close()
})

test('one entry alone may be larger than a file, and is cut', () => {
  const {log, lines} = newLog({limitBytes: 100})
  log.info('y'.repeat(100_000))
  assert.is(lines().length, 1)
  assert.ok((lines()[0] ?? '').length < 17_000)
  log.close()
})

test('after a line that a death cut short the next entry begins its own', () => {
  const {path, log, lines} = newLog()
  log.info('whole')
  log.close()
  appendFileSync(path, '1970-01-01T00:00:00.000Z info cut sho')
  log.info('next')
  assert.equal(lines().slice(1), [
    '1970-01-01T00:00:00.000Z info cut sho',
    '1970-01-01T00:00:00.000Z info next',
  ])
  log.close()
})

test('a file that was removed by hand is made again', () => {
  const {path, log, lines} = newLog()
  log.info('one')
  rmSync(path)
  log.info('two')
  assert.equal(lines(), ['1970-01-01T00:00:00.000Z info two'])
  log.close()
})

test('a log that cannot be written stops nobody', () => {
  const dir = privateDir()
  mkdirSync(join(dir, 'daemon.log'))
  const log = openDaemonLog(join(dir, 'daemon.log'))
  log.error('lost', new Error('x'))
  openDaemonLog(join(dir, 'absent/daemon.log')).info('lost')
  log.close()
})

test.run()
