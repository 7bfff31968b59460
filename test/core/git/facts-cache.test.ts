import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {fail} from '../../../src/core/errors.ts'
import {FactsCache} from '../../../src/core/git/facts-cache.ts'
import type {GitTask} from '../../../src/core/git/task-place.ts'
import type {TaskFacts} from '../../../src/core/task/types.ts'

const one: GitTask & {id: string} = {
  id: '1',
  name: 'n',
  path: '/p',
  gitDir: '/g',
  base: 'main',
  baseCommit: 'c',
}
const two = {...one, id: '2'}

/** A cache over reads that the test ends itself, on a clock that the test sets. */
function setUp() {
  const clock = {now: 1_000}
  const reads: {end: (changed: number) => void; fail: (work: () => never) => void}[] = []
  const cache = new FactsCache(
    () => clock.now,
    () =>
      new Promise<TaskFacts>((resolve, reject) => {
        reads.push({
          end: changed => resolve(facts(changed)),
          fail: work => reject(thrownBy(work)),
        })
      }),
  )
  return {clock, reads, cache}
}

function facts(changed: number): TaskFacts {
  return {
    headRef: null,
    headCommit: 'c',
    dirty: {changed, untracked: 0},
    diff: {filesChanged: 0, insertions: 0, deletions: 0, untracked: 0},
  }
}

function thrownBy(work: () => never): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

test('facts young enough are given without reading', async () => {
  const {clock, reads, cache} = setUp()
  const first = cache.get(one, {maxAgeMs: 0})
  reads[0]?.end(1)
  assert.equal(await first, {value: facts(1), checkedAt: 1_000})
  clock.now = 3_000
  assert.is((await cache.get(one, {maxAgeMs: 2_000})).checkedAt, 1_000)
  assert.is(reads.length, 1)
  clock.now = 3_001
  const again = cache.get(one, {maxAgeMs: 2_000})
  reads[1]?.end(2)
  assert.equal(await again, {value: facts(2), checkedAt: 3_001})
})

test('facts from before a change are read anew, but for those who take any age', async () => {
  const {clock, reads, cache} = setUp()
  cache.markChanged(one.id)
  const first = cache.get(one, {maxAgeMs: 5_000})
  reads[0]?.end(1)
  await first
  cache.markChanged(one.id)
  assert.is((await cache.get(one, {maxAgeMs: Number.POSITIVE_INFINITY})).checkedAt, 1_000)
  clock.now = 1_001
  const second = cache.get(one, {maxAgeMs: 5_000})
  reads[1]?.end(2)
  assert.equal(await second, {value: facts(2), checkedAt: 1_001})
  assert.is((await cache.get(one, {maxAgeMs: 5_000})).checkedAt, 1_001)
  assert.is(reads.length, 2)
})

test('a task is read once for all who ask at once, each task by itself', async () => {
  const {reads, cache} = setUp()
  const asked = [cache.get(one, {maxAgeMs: 0}), cache.get(one, {maxAgeMs: 0}), cache.get(two, {maxAgeMs: 0})]
  assert.is(reads.length, 2)
  for (const read of reads) read.end(1)
  assert.is((await Promise.all(asked)).length, 3)
})

test('who wants facts from now does not get those of a read that began before', async () => {
  const {clock, reads, cache} = setUp()
  const early = cache.get(one, {maxAgeMs: 0})
  clock.now = 1_500
  const late = [
    cache.get(one, {maxAgeMs: 0}),
    cache.get(one, {maxAgeMs: 100}),
    cache.get(one, {maxAgeMs: 500}),
  ]
  assert.is(reads.length, 1)
  reads[0]?.end(1)
  assert.is((await early).value?.dirty.changed, 1)
  assert.is((await late[2])?.value?.dirty.changed, 1)
  assert.is(reads.length, 2)
  reads[1]?.end(2)
  assert.is((await late[0])?.value?.dirty.changed, 2)
  assert.is((await late[1])?.value?.dirty.changed, 2)
})

test('a failure is kept with its age and its code, and is never a zero', async () => {
  const {reads, cache} = setUp()
  const asked = cache.get(one, {maxAgeMs: 0})
  reads[0]?.fail(() => fail('task.missing', {path: '/p', name: 'n'}))
  const told = await asked
  assert.is(told.value, undefined)
  assert.equal(
    {...told, error: told.error?.slice(0, 27)},
    {error: 'the worktree /p of task n i', code: 'task.missing', checkedAt: 1_000},
  )
  assert.is(cache.last('1'), told)
})

test('a clock that was set back does not make old facts young for ever', async () => {
  const {clock, reads, cache} = setUp()
  const first = cache.get(one, {maxAgeMs: 0})
  reads[0]?.end(1)
  await first
  clock.now = 10
  const again = cache.get(one, {maxAgeMs: 60_000})
  reads[1]?.end(2)
  assert.is((await again).value?.dirty.changed, 2)
})

test('forgotten facts are read anew', async () => {
  const {reads, cache} = setUp()
  const first = cache.get(one, {maxAgeMs: 0})
  reads[0]?.end(1)
  await first
  cache.forget('1')
  assert.is(cache.last('1'), undefined)
  const again = cache.get(one, {maxAgeMs: 60_000})
  reads[1]?.end(2)
  assert.is((await again).value?.dirty.changed, 2)
})

test.run()
