import {chmodSync, existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {availableParallelism} from 'node:os'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {takeProcessSlot} from '../../../src/core/git/process-slots.ts'
import {inRepositoryOrder} from '../../../src/core/git/repository-queue.ts'
import {readGit, runGit} from '../../../src/core/git/run-git.ts'
import {failure, fresh, place, repository} from './repositories.ts'

const read = (cwd: string) => ({cwd, kind: 'read', hostile: true}) as const

test('output is kept up to a limit and said to be cut, and may begin later', async () => {
  const {root} = await repository({'a.txt': `${'x'.repeat(99)}\n`.repeat(1_000)})
  const show = ['show', 'HEAD:a.txt']
  const whole = await runGit(show, read(root))
  assert.is(whole.stdout.length, 100_000)
  assert.is(whole.truncated, false)
  const cut = await runGit(show, {...read(root), maxBytes: 10, skipBytes: 95})
  assert.is(cut.stdout.toString(), 'xxxx\nxxxxx')
  assert.is(cut.truncated, true)
  const exact = await runGit(show, {...read(root), maxBytes: 100_000})
  assert.is(exact.truncated, false)
})

test('a failure tells the command and the line that names it', async () => {
  const {root} = await repository()
  assert.is(
    await failure(runGit(['show', 'nope:x'], read(root))),
    "git.failed: git show failed: invalid object name 'nope'.",
  )
  assert.is((await runGit(['show', 'nope:x'], {...read(root), answers: [128]})).exit, 128)
})

test('input is given, and git may leave it unread', async () => {
  const {root} = await repository()
  assert.is(
    await readGit(['hash-object', '--stdin'], {...read(root), input: ''}),
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  )
  await runGit(['version'], {...read(root), input: 'x'.repeat(1_000_000)})
})

test('a directory that is gone is told as that, a missing git as that', async () => {
  const {root} = await repository()
  assert.match(
    await failure(runGit(['version'], read(join(root, 'none')))),
    /^git\.failed: git version failed: there is no directory/,
  )
  assert.match(
    await failure(runGit(['version'], {...read(root), path: '/nowhere'})),
    /^git\.missing: git was not found in PATH/,
  )
})

/** A PATH with a git that tells its pid and then does not end. */
function hangingGit(): {path: string; started: string} {
  const started = fresh('started')
  const path = fresh('bin')
  mkdirSync(path, {recursive: true})
  mkdirSync(join(started, '..'), {recursive: true})
  writeFileSync(join(path, 'git'), `#!/bin/sh\necho half\ntouch ${started}\nexec sleep 60\n`)
  chmodSync(join(path, 'git'), 0o755)
  return {path: `${path}:/usr/bin:/bin`, started}
}

test('a git that does not end is ended at the limit', async () => {
  const {path} = hangingGit()
  const told = await failure(runGit(['status'], {...read(place), path, timeoutMs: 100}))
  assert.is(
    told,
    `git.timeout: git status did not finish within 0.1 s and was ended; try it by hand in ${place}`,
  )
})

test('a signal ends it, while it runs and before it began', async () => {
  const {path, started} = hangingGit()
  const abort = new AbortController()
  const running = runGit(['status'], {...read(place), path, signal: abort.signal})
  while (!existsSync(started)) await new Promise(resolve => setImmediate(resolve))
  abort.abort(new Error('enough'))
  const never = runGit(['version'], {...read(place), signal: abort.signal})
  const told = await Promise.allSettled([running, never])
  assert.equal(
    told.map(({status}) => status),
    ['rejected', 'rejected'],
  )
  for (const result of told) assert.is((result as PromiseRejectedResult).reason.message, 'enough')
})

test('at most two per core run at once, in the order that they asked', async () => {
  const limit = 2 * availableParallelism()
  const frees = await Promise.all(Array.from({length: limit}, () => takeProcessSlot()))
  const order: number[] = []
  const abort = new AbortController()
  const later = [1, 2].map(number => takeProcessSlot().finally(() => order.push(number)))
  const left = takeProcessSlot(abort.signal).then(
    () => 'ran',
    error => error.message,
  )
  abort.abort(new Error('left'))
  assert.is(await left, 'left')
  assert.equal(order, [])
  frees[0]?.()
  frees[0]?.()
  const first = await later[0]
  assert.equal(order, [1])
  first?.()
  const second = await later[1]
  second?.()
  for (const free of frees) free()
  assert.is(
    await readGit(['rev-parse', '--show-toplevel'], read((await repository()).root)).then(() => 'ran'),
    'ran',
  )
})

test('work on one repository is done in turn, also after a failure; other repositories do not wait', async () => {
  const done: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = inRepositoryOrder('/a', () => gate.promise.then(() => done.push('a1')))
  const failing = inRepositoryOrder('/a', () => Promise.reject(new Error('a2')))
  const third = inRepositoryOrder('/a', async () => done.push('a3'))
  await inRepositoryOrder('/b', async () => done.push('b1'))
  gate.resolve()
  assert.is(await failing.catch(error => error.message), 'a2')
  await Promise.all([first, third])
  assert.equal(done, ['b1', 'a1', 'a3'])
})

test.run()
