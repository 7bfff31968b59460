import {chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {DatabaseSync} from '../../src/core/store/sqlite.ts'
import {crashDaemon, daemonsOf} from '../fixtures/daemon-process.ts'
import {MountSpace} from '../fixtures/mount-space.ts'
import {launcher, PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

/** Every way of asking gets the one sentence, exit 4, and nothing on stdout; in JSON one object. */
async function wontStart(termic: PrivateTermic, sentence: RegExp): Promise<void> {
  for (const argv of [['list'], ['new', 'x'], ['daemon', 'start'], ['daemon', 'restart']]) {
    const {exit, stdout, stderr} = await termic.run(argv)
    assert.is(exit, 4, `${argv.join(' ')}: ${stdout}${stderr}`)
    assert.is(stdout, '')
    assert.match(stderr, sentence)
    assert.is(stderr.split('\n').length, 2, stderr)
  }
  const {stdout, stderr} = await termic.run(['list', '--json'])
  assert.is(stderr, '')
  assert.match(`termic: ${JSON.parse(stdout).error.message}`, sentence)
}

// A state directory that everybody may read.
test('a data directory of mode 0755 and what is in it are made private', async () => {
  await using termic = new PrivateTermic()
  await termic.json(['list'])
  await crashDaemon(termic)
  chmodSync(termic.dataDir, 0o777)
  chmodSync(join(termic.dataDir, 'state.db'), 0o644)
  await termic.json(['list'])
  const modeOf = (name: string) => (statSync(join(termic.dataDir, name)).mode & 0o777).toString(8)
  const modes = ['.', 'panes', 'state.db', 'daemon.lock', 'daemon.log', 'cli-token', 'daemon.sock'].map(
    modeOf,
  )
  assert.equal(modes, ['700', '700', '600', '600', '600', '600', '600'])
})

test('a data directory that is a file is refused in one sentence', async () => {
  await using termic = new PrivateTermic()
  writeFileSync(termic.dataDir, 'precious')
  await wontStart(termic, /^termic: .*\/data cannot be used: it is not a directory/)
  assert.is(readFileSync(termic.dataDir, 'utf8'), 'precious')
  rmSync(termic.dataDir)
})

test('a state file of a newer termic is refused as it is', async () => {
  await using termic = new PrivateTermic()
  mkdirSync(termic.dataDir, {mode: 0o700})
  const path = join(termic.dataDir, 'state.db')
  const database = new DatabaseSync(path)
  database.exec('CREATE TABLE tasks (anything TEXT); PRAGMA user_version = 1000')
  database.close()
  const before = readFileSync(path)
  await wontStart(
    termic,
    /^termic: the termic daemon would not start: the state file .*state\.db was written by a newer termic \(format 1000, this one knows \d+\); update termic$/m,
  )
  const {error} = JSON.parse((await termic.run(['list', '--json'])).stdout)
  assert.equal([error.code, error.data.cause], ['daemon.start-failed', 'data.newer'])
  assert.ok(readFileSync(path).equals(before), 'it was touched')
})

test('a damaged state file is refused as it is, and says what to do', async () => {
  for (const damage of ['no database at all, but long enough to look at', Buffer.alloc(8192, 7)]) {
    await using termic = new PrivateTermic()
    mkdirSync(termic.dataDir, {mode: 0o700})
    const path = join(termic.dataDir, 'state.db')
    writeFileSync(path, damage)
    await wontStart(
      termic,
      /^termic: the termic daemon would not start: the state file .* is damaged .*; put a copy of it back/,
    )
    assert.ok(readFileSync(path).equals(Buffer.from(damage)))
    rmSync(path)
    await termic.json(['list'])
  }
})

test('settings that nobody can read do not keep the daemon from saying so', async () => {
  await using termic = new PrivateTermic()
  mkdirSync(termic.dataDir, {mode: 0o700})
  writeFileSync(join(termic.dataDir, 'settings.json'), '{"cli": {"enabled": tru')
  const {exit, stdout, stderr} = await termic.run(['config', 'list'])
  assert.ok(exit === 1 || exit === 4, `${exit}`)
  assert.is(stdout, '')
  assert.match(stderr, /settings\.json is not valid/)
  assert.is(stderr.split('\n').length, 2, stderr)
})

test('a token file that was removed is refused once and then there again, the daemon being the same', async () => {
  await using termic = new PrivateTermic()
  await termic.json(['list'])
  const [pid] = daemonsOf(termic)
  const token = join(termic.dataDir, 'cli-token')
  const before = readFileSync(token, 'utf8')
  rmSync(token)
  const {exit, stdout, stderr} = await termic.run(['list'])
  assert.is(exit, 6)
  assert.is(stdout, '')
  assert.match(
    stderr,
    /^termic: the daemon refused this caller \(wrong or missing token\); check that .*cli-token is yours and current\n$/,
  )
  await termic.json(['list'])
  assert.is(readFileSync(token, 'utf8'), before)
  assert.equal(daemonsOf(termic), [pid])
  assert.is(statSync(token).mode & 0o777, 0o600)

  rmSync(token)
  const stop = await termic.run(['daemon', 'stop', '--json'])
  assert.is(stop.exit, 6)
  assert.is(JSON.parse(stop.stdout).error.code, 'auth.refused')
  assert.is((await termic.run(['daemon', 'stop'])).exit, 0)
})

test('a wrong token is refused and left as it is', async () => {
  await using termic = new PrivateTermic()
  await termic.json(['list'])
  const token = join(termic.dataDir, 'cli-token')
  const right = readFileSync(token, 'utf8')
  writeFileSync(token, 'f'.repeat(64))
  for (const _ of [1, 2]) assert.is((await termic.run(['list'])).exit, 6)
  assert.is(readFileSync(token, 'utf8'), 'f'.repeat(64))
  writeFileSync(token, right)
  await termic.json(['list'])
})

test('a link in the place of the token is neither followed nor written through', async () => {
  await using termic = new PrivateTermic()
  mkdirSync(termic.dataDir, {mode: 0o700})
  const precious = join(termic.place, 'precious')
  writeFileSync(precious, 'precious')
  symlinkSync(precious, join(termic.dataDir, 'cli-token'))
  await termic.json(['list'])
  assert.is(readFileSync(precious, 'utf8'), 'precious')
})

test('a data directory on a read-only disk: one sentence, and everything goes on once it can be written', async () => {
  await using space = await MountSpace.open()
  if (!space) return
  await using termic = new PrivateTermic()
  mkdirSync(termic.dataDir)
  await space.disk(termic.dataDir, 4096)
  const inside = (...argv: string[]) => space.run(launcher, argv, {cwd: termic.home, env: termic.env})
  const {path} = await termic.repository()
  assert.is((await space.run(launcher, ['new', 'one', '--yes'], {cwd: path, env: termic.env})).exit, 0)
  assert.is((await inside('quit', '--yes')).exit, 0)

  await until('nothing has a file open there', () => termic.processes().length === 0)
  await space.remount(termic.dataDir, 'ro')
  const {exit, stdout, stderr} = await inside('list')
  assert.is(exit, 4)
  assert.is(stdout, '')
  assert.match(stderr, /^termic: .*\/data cannot be used: the file system is read-only\n$/)

  await space.remount(termic.dataDir, 'rw')
  const {tasks} = JSON.parse((await inside('list', '--json')).stdout)
  assert.is(tasks.length, 1)
  assert.is((await inside('quit', '--yes')).exit, 0)
})

test.run()
