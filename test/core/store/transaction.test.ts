import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {openStore} from '../../../src/core/store/open-store.ts'
import {DatabaseSync} from '../../../src/core/store/sqlite.ts'
import type {Store} from '../../../src/core/store/store.ts'
import {privateDir} from '../../fixtures/private-dir.ts'

const migrations = [{version: 1, sql: 'CREATE TABLE words (word TEXT UNIQUE, flag INTEGER) STRICT'}]

function newStore(): Store {
  return openStore(join(privateDir(), 'state.db'), {migrations})
}

const add = (store: Store, word: string) => store.run('INSERT INTO words (word) VALUES ($word)', {word})
const words = (store: Store) => store.all('SELECT word FROM words ORDER BY word').map(row => row.word)
const failing = (): never => {
  throw new Error('on purpose')
}

test('a transaction returns what its work returns', () => {
  assert.is(
    newStore().transaction(() => 7),
    7,
  )
})

test('a transaction that throws leaves nothing, and the next one works', () => {
  const store = newStore()
  assert.throws(() => store.transaction(() => add(store, 'a') && failing()), /on purpose/)
  assert.equal(words(store), [])
  store.transaction(() => add(store, 'b'))
  assert.equal(words(store), ['b'])
})

test('an inner transaction that fails is undone alone when the outer one goes on', () => {
  const store = newStore()
  store.transaction(() => {
    add(store, 'outer')
    assert.throws(() => store.transaction(() => add(store, 'inner') && failing()))
    store.transaction(() => add(store, 'second'))
  })
  assert.equal(words(store), ['outer', 'second'])
})

test('an inner transaction goes with the outer one', () => {
  const store = newStore()
  assert.throws(() =>
    store.transaction(() => {
      store.transaction(() => add(store, 'inner'))
      failing()
    }),
  )
  assert.equal(words(store), [])
})

test('what a transaction did is on the disk when it returns', () => {
  const store = newStore()
  store.transaction(() => add(store, 'a'))
  const other = new DatabaseSync(store.path)
  assert.is(other.prepare('SELECT count(*) AS count FROM words').get()?.count, 1)
  other.close()
})

test('asynchronous work is refused, and undone', () => {
  const store = newStore()
  assert.throws(() => store.transaction(async () => add(store, 'a')), /must not be asynchronous/)
  assert.equal(words(store), [])
})

test('effects run after the commit, in their order, and never for what was undone', () => {
  const store = newStore()
  const seen: string[] = []
  const note = (text: string) => {
    store.afterCommit(() => seen.push(`${text} with ${words(store).length}`))
    return true
  }
  store.transaction(() => {
    note('first')
    add(store, 'a')
    assert.throws(() => store.transaction(() => note('undone') && failing()))
    store.transaction(() => note('inner'))
    assert.equal(seen, [])
  })
  assert.equal(seen, ['first with 1', 'inner with 1'])
  assert.throws(() => store.transaction(() => note('lost') && failing()))
  note('at once')
  assert.equal(seen.slice(2), ['at once with 1'])
})

test('an effect may begin a transaction of its own', () => {
  const store = newStore()
  store.transaction(() => store.afterCommit(() => store.transaction(() => add(store, 'later'))))
  assert.equal(words(store), ['later'])
})

test('an effect that throws reaches neither the caller nor the other effects', async () => {
  const store = newStore()
  const thrown = new Promise(resolve => process.once('uncaughtException', resolve))
  let ran = false
  store.transaction(() => {
    store.afterCommit(failing)
    store.afterCommit(() => {
      ran = true
    })
  })
  assert.ok(ran)
  assert.match(((await thrown) as Error).message, /on purpose/)
})

test('absent and null are absent in a row, and a boolean is 0 or 1', () => {
  const store = newStore()
  store.run('INSERT INTO words VALUES ($word, $flag)', {word: undefined, flag: true})
  assert.equal(store.all('SELECT word, flag FROM words'), [{flag: 1}])
})

test('a value that was bound before does not come back in a later run', () => {
  const store = newStore()
  const sql = 'INSERT INTO words VALUES ($word, $flag)'
  store.run(sql, {word: 'a', flag: 5})
  store.run(sql, {word: 'b'})
  assert.equal(store.get(`SELECT word, flag FROM words WHERE word = 'b'`), {word: 'b'})
})

test('a failed statement inside a transaction that goes on loses only itself', () => {
  const store = newStore()
  store.transaction(() => {
    add(store, 'a')
    assert.throws(() => add(store, 'a'), /UNIQUE/)
    add(store, 'b')
  })
  assert.equal(words(store), ['a', 'b'])
})

test.run()
