import {chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {mintToken, readToken, sameToken} from '../../../src/core/daemon/token.ts'
import {privateDir} from '../../fixtures/private-dir.ts'
import {codeOf} from '../../fixtures/thrown.ts'

test('a token is 256 bits in a file that only its owner reads, whatever the umask', () => {
  const path = join(privateDir(), 'cli-token')
  const former = process.umask(0o277)
  const token = mintToken(path)
  process.umask(former)
  assert.match(token, /^[0-9a-f]{64}$/)
  assert.is(statSync(path).mode & 0o777, 0o600)
  assert.is(readToken(path), token)
})

test('each token is new and replaces the former file, however that was left', () => {
  const dir = privateDir()
  const path = join(dir, 'cli-token')
  const first = mintToken(path)
  chmodSync(path, 0o666)
  const before = statSync(path).ino
  const second = mintToken(path)
  assert.is.not(first, second)
  assert.is.not(statSync(path).ino, before)
  assert.is(statSync(path).mode & 0o777, 0o600)
  assert.equal(readdirSync(dir), ['cli-token'])
})

test('a link that was planted at either name is replaced and its target untouched', () => {
  const dir = privateDir()
  const path = join(dir, 'cli-token')
  writeFileSync(join(dir, 'victim'), 'keep me')
  symlinkSync(join(dir, 'victim'), path)
  symlinkSync(join(dir, 'victim'), `${path}.new`)
  const token = mintToken(path)
  assert.is(readFileSync(join(dir, 'victim'), 'utf8'), 'keep me')
  assert.is(readFileSync(path, 'utf8'), token)
})

test('a token that cannot be written is a sentence', () => {
  const dir = privateDir()
  mkdirSync(join(dir, 'cli-token'))
  assert.is(
    codeOf(() => mintToken(join(dir, 'cli-token'))),
    'data.unusable',
  )
})

test('no token, half a token and no directory read as none', () => {
  const dir = privateDir()
  assert.is(readToken(join(dir, 'cli-token')), undefined)
  writeFileSync(join(dir, 'half'), 'abc123')
  assert.is(readToken(join(dir, 'half')), undefined)
  assert.is(readToken(join(dir, 'half/below')), undefined)
})

test('only the very token is the same: not a part of it, not a longer one, not an empty one', () => {
  const token = mintToken(join(privateDir(), 'cli-token'))
  assert.ok(sameToken(token, token))
  for (const other of [
    '',
    token.slice(1),
    `${token}0`,
    token.toUpperCase().replace(/\d/g, '0'),
    'é'.repeat(32),
  ]) {
    assert.not(sameToken(other, token))
  }
  assert.not(sameToken('', ''))
})

test.run()
