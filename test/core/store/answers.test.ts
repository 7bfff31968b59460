import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {openStore} from '../../../src/core/store/open-store.ts'
import type {Store} from '../../../src/core/store/store.ts'
import {privateDir} from '../../fixtures/private-dir.ts'

const migrations = [{version: 1, sql: 'CREATE TABLE words (word TEXT UNIQUE, flag INTEGER) STRICT'}]

function newStore(): Store {
  return openStore(join(privateDir(), 'state.db'), {migrations})
}

const add = (store: Store, word: string) => store.run('INSERT INTO words (word) VALUES ($word)', {word})
const words = (store: Store) => store.all('SELECT word FROM words ORDER BY word').map(row => row.word)
const flagged = (store: Store, flag: boolean) =>
  store.all('SELECT word FROM words WHERE flag = $flag', {flag}).map(row => row.word)

test('the same question has the same answer until something is written', () => {
  const store = newStore()
  add(store, 'a')
  const [before, again] = [store.all('SELECT * FROM words'), store.all('SELECT * FROM words')]
  assert.is(again, before)
  add(store, 'b')
  assert.equal(words(store), ['a', 'b'])
})

test('what RETURNING writes is seen, and is written each time', () => {
  const store = newStore()
  assert.equal(words(store), [])
  const insert = 'INSERT INTO words (word) VALUES ($word) RETURNING word'
  assert.equal(store.get(insert, {word: 'a'}), {word: 'a'})
  assert.throws(() => store.get(insert, {word: 'a'}))
  assert.equal(words(store), ['a'])
})

test('what a transaction read of its own is not known once that is undone', () => {
  const store = newStore()
  assert.throws(() =>
    store.transaction(() => {
      add(store, 'a')
      assert.equal(words(store), ['a'])
      throw new Error('on purpose')
    }),
  )
  assert.equal(words(store), [])
})

test('questions that differ in their parameters alone are different questions', () => {
  const store = newStore()
  store.run('INSERT INTO words (word, flag) VALUES ($word, $flag)', {word: 'yes', flag: true})
  assert.equal(flagged(store, true), ['yes'])
  assert.equal(flagged(store, false), [])
})

test('a kept answer cannot be altered by who got it', () => {
  const store = newStore()
  add(store, 'a')
  const [row] = store.all('SELECT word FROM words') as [{word: string}]
  assert.throws(() => {
    row.word = 'b'
  }, /read only/)
})

test('the version differs after each write and after none else', () => {
  const store = newStore()
  const {version} = store
  words(store)
  assert.is(store.version, version)
  add(store, 'a')
  assert.is.not(store.version, version)
})

test.run()
