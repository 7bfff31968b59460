import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {takeLock} from '../../../src/core/daemon/lock.ts'
import {TermicError} from '../../../src/core/errors.ts'
import {DatabaseSync} from '../../../src/core/store/sqlite.ts'
import {privateDir} from '../../fixtures/private-dir.ts'
import {type StartedProgram, startProgram} from '../../fixtures/start-program.ts'

const running: StartedProgram[] = []
test.after.each(async () => {
  await Promise.all(running.splice(0).map(program => program.kill()))
})

async function holder(path: string): Promise<StartedProgram> {
  const program = startProgram('lock-holder.ts', [path])
  running.push(program)
  assert.is(await program.hear(), 'ready')
  return program
}

async function tell(program: StartedProgram, word: string): Promise<string> {
  program.say(word)
  return program.hear()
}

function newLock(): string {
  return join(privateDir(), 'daemon.lock')
}

/** Lets all of them try at the same time; answers how many hold it. */
async function race(programs: readonly StartedProgram[]): Promise<number> {
  const answers = await Promise.all(programs.map(program => tell(program, 'take')))
  return answers.filter(answer => answer === 'held').length
}

test('the lock file is private and stays empty', () => {
  const path = newLock()
  const lock = takeLock(path)
  assert.ok(lock)
  assert.is(statSync(path).mode & 0o777, 0o600)
  assert.is(statSync(path).size, 0)
  lock.release()
})

test('a second taker is told at once, in the same process and in another', async () => {
  const path = newLock()
  const first = takeLock(path)
  assert.ok(first)
  assert.is(takeLock(path), null)
  const other = await holder(path)
  const startedAt = performance.now()
  assert.is(await tell(other, 'take'), 'busy')
  assert.ok(performance.now() - startedAt < 1000)
  first.release()
  assert.is(await tell(other, 'take'), 'held')
  assert.is(takeLock(path), null)
})

test('of many that race for a new lock exactly one holds it', async () => {
  const path = newLock()
  const programs = await Promise.all(Array.from({length: 6}, () => holder(path)))
  for (let round = 0; round < 5; round++) {
    assert.is(await race(programs), 1)
    await Promise.all(programs.map(program => tell(program, 'release')))
    rmSync(path)
  }
})

// Nukesor/pueue#302, mawww/kakoune#1041: what a crash left behind blocked every later start.
test('of many that race for a lock file of garbage exactly one holds it', async () => {
  const path = newLock()
  const programs = await Promise.all(Array.from({length: 6}, () => holder(path)))
  for (let round = 0; round < 5; round++) {
    writeFileSync(path, 'x'.repeat(4096 * (round + 1)))
    assert.is(await race(programs), 1)
    await Promise.all(programs.map(program => tell(program, 'release')))
  }
})

test('garbage of every kind recovers: one byte, half a database, a whole one, a stale journal, a pid', () => {
  const database = join(privateDir(), 'some.db')
  const made = new DatabaseSync(database)
  made.exec('PRAGMA journal_mode = WAL; CREATE TABLE some (a); INSERT INTO some VALUES (1)')
  made.close()
  const whole = readFileSync(database)
  for (const content of ['x', '1\n', '\0'.repeat(8192), whole.subarray(0, 700), whole]) {
    const path = newLock()
    writeFileSync(path, content)
    writeFileSync(`${path}-journal`, 'stale')
    const lock = takeLock(path)
    assert.ok(lock)
    assert.is(takeLock(path), null)
    lock.release()
  }
})

test('garbage that is written over a held lock takes nothing from its holder', async () => {
  const path = newLock()
  const first = await holder(path)
  assert.is(await tell(first, 'take'), 'held')
  writeFileSync(path, 'garbage'.repeat(1000))
  assert.is(takeLock(path), null)
  truncateSync(path)
  assert.is(takeLock(path), null)
})

// reddb-io/red-skills#3186: a slow daemon was taken for a dead one, and 4 ran in the end.
test('a stopped holder still holds', async () => {
  const path = newLock()
  const first = await holder(path)
  assert.is(await tell(first, 'take'), 'held')
  first.signal('SIGSTOP')
  assert.is(takeLock(path), null)
  first.signal('SIGCONT')
  assert.is(await tell(first, 'release'), 'released')
  takeLock(path)?.release()
})

// vercel-labs/agent-browser#113: the pid file of a killed daemon named a process that lives.
test('a killed holder frees the lock, whatever its pid names by then', async () => {
  const path = newLock()
  const first = await holder(path)
  assert.is(await tell(first, 'take'), 'held')
  assert.is(takeLock(path), null)
  await first.kill()
  const lock = takeLock(path)
  assert.ok(lock)
  lock.release()
})

test('the lock outlives garbage collection', async () => {
  const path = newLock()
  assert.ok(takeLock(path))
  const other = await holder(path)
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  await new Promise(resolve => setImmediate(resolve))
  assert.is(await tell(other, 'take'), 'busy')
})

test('a holder can see that its file was removed or replaced', () => {
  const path = newLock()
  const lock = takeLock(path)
  assert.ok(lock?.isIntact())
  renameSync(path, `${path}.away`)
  assert.not(lock?.isIntact())
  writeFileSync(path, '')
  assert.not(lock?.isIntact())
  lock?.release()
})

test('a lock that is no file, or can be none, is a sentence', () => {
  const dir = privateDir()
  mkdirSync(join(dir, 'directory'))
  writeFileSync(join(dir, 'victim'), 'keep me')
  symlinkSync(join(dir, 'victim'), join(dir, 'link'))
  for (const name of ['directory', 'link', 'absent/daemon.lock']) {
    assert.throws(
      () => takeLock(join(dir, name)),
      (error: unknown) => error instanceof TermicError && error.code === 'data.unusable',
    )
  }
  assert.is(readFileSync(join(dir, 'victim'), 'utf8'), 'keep me')
  assert.equal(readdirSync(dir).sort(), ['directory', 'link', 'victim'])
})

test.run()
