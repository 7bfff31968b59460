import {chmodSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {migrations} from '../../../src/core/store/migrations.ts'
import {openStore} from '../../../src/core/store/open-store.ts'
import {DatabaseSync} from '../../../src/core/store/sqlite.ts'
import {privateDir} from '../../fixtures/private-dir.ts'
import {codeOf, thrown} from '../../fixtures/thrown.ts'

const newPath = () => join(privateDir(), 'state.db')
const two = [
  {version: 1, sql: 'CREATE TABLE one (a TEXT) STRICT'},
  {version: 2, sql: 'CREATE TABLE two (a TEXT) STRICT; INSERT INTO two SELECT a FROM one'},
]

function formatOf(path: string): unknown {
  const database = new DatabaseSync(path)
  const {user_version} = database.prepare('PRAGMA user_version').get() as {user_version: number}
  database.close()
  return user_version
}

test('a new store has the newest format and is private, its log and index too', () => {
  const path = newPath()
  const store = openStore(path)
  for (const suffix of ['', '-wal', '-shm']) assert.is(statSync(path + suffix).mode & 0o777, 0o600)
  assert.equal(store.get('PRAGMA journal_mode'), {journal_mode: 'wal'})
  assert.equal(store.get('PRAGMA synchronous'), {synchronous: 2})
  assert.equal(store.get('PRAGMA foreign_keys'), {foreign_keys: 1})
  store.close()
  assert.is(formatOf(path), migrations.at(-1)?.version)
})

test('migrations count up by one', () => {
  assert.equal(
    migrations.map(({version}) => version),
    migrations.map((_, index) => index + 1),
  )
})

test('a file that others may read is closed to them', () => {
  const path = newPath()
  openStore(path).close()
  chmodSync(path, 0o644)
  openStore(path).close()
  assert.is(statSync(path).mode & 0o777, 0o600)
})

test('an older format is brought up, with what is in it', () => {
  const path = newPath()
  const old = openStore(path, {migrations: two.slice(0, 1)})
  old.run('INSERT INTO one VALUES ($a)', {a: 'kept'})
  old.close()
  const store = openStore(path, {migrations: two})
  assert.equal(store.all('SELECT a FROM two'), [{a: 'kept'}])
  store.close()
  assert.is(formatOf(path), 2)
})

test('a migration that fails leaves the format before it, whole', () => {
  const path = newPath()
  const broken = [
    ...two,
    {version: 3, sql: 'CREATE TABLE three (a TEXT) STRICT; DROP TABLE one; SELECT absent'},
  ]
  assert.throws(() => openStore(path, {migrations: broken}), /no such column: absent/)
  const store = openStore(path, {migrations: two})
  assert.equal(store.all(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`), [
    {name: 'one'},
    {name: 'two'},
  ])
  store.close()
  assert.is(formatOf(path), 2)
})

test('a newer format is refused in a sentence and not touched', () => {
  const path = newPath()
  openStore(path, {migrations: two}).close()
  const before = readFileSync(path)
  const {code, message} = thrown(() => openStore(path, {migrations: two.slice(0, 1)}))
  assert.is(code, 'data.newer')
  assert.match(message, /state\.db was written by a newer termic \(format 2, this one knows 1\)/)
  assert.ok(readFileSync(path).equals(before))
})

// anomalyco/opencode#7607, can1357/oh-my-pi#8596: a damaged state was replaced by an empty one.
test('a damaged file is named and left as it is', () => {
  const whole = newPath()
  const store = openStore(whole)
  store.transaction(() => {
    for (let at = 0; at < 500; at++) {
      store.run(`INSERT INTO events (at, type, task_id, data) VALUES ($at, 'state', 't', $data)`, {
        at,
        data: 'x'.repeat(500),
      })
    }
  })
  store.close()
  for (const content of ['this is no database', 'x'.repeat(100_000), readFileSync(whole).subarray(0, 5000)]) {
    const path = newPath()
    writeFileSync(path, content)
    const {code, message} = thrown(() => openStore(path))
    assert.is(code, 'data.corrupt')
    assert.match(message, path)
    assert.is(readFileSync(path).compare(Buffer.from(content)), 0)
  }
})

test('a database of another program is refused', () => {
  const path = newPath()
  const database = new DatabaseSync(path)
  database.exec('CREATE TABLE theirs (a)')
  database.close()
  assert.match(thrown(() => openStore(path)).message, /database of another program/)
})

test('a store where none can be is a sentence', () => {
  const dir = privateDir()
  assert.is(
    codeOf(() => openStore(dir)),
    'data.unusable',
  )
})

test.run()
