import {existsSync, readFileSync, rmSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {readChanges} from '../../../src/core/git/changes.ts'
import {compare} from '../../../src/core/git/compare.ts'
import {readStatus} from '../../../src/core/git/status.ts'
import {taskPlace} from '../../../src/core/git/task-place.ts'
import {commitAll, git, type MadeTask, repository, task, write} from './repositories.ts'

function chance(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const names = ['a.txt', 'b.txt', 'c d.txt', 'dir/e.txt', 'dir/f*.txt', 'g']
const text = (seed: number) => Array.from({length: 12}, (_, line) => `line ${line} of ${seed}\n`).join('')

/** One thing that an agent may do to a tree, by chance. */
async function step(path: string, next: () => number): Promise<void> {
  const name = names[Math.floor(next() * names.length)] ?? 'a.txt'
  const other = names[Math.floor(next() * names.length)] ?? 'b.txt'
  const file = join(path, name)
  const isFile = existsSync(file) && statSync(file).isFile()
  const act = Math.floor(next() * 8)
  if (act === 0) write(path, {[name]: text(Math.floor(next() * 3))})
  else if (act === 1 && isFile) write(path, {[name]: `${readFileSync(file, 'utf8')}more ${next()}\n`})
  else if (act === 2) rmSync(file, {force: true})
  else if (act === 3 && isFile) await git(path, 'mv', '-f', name, other).catch(() => '')
  else if (act === 4) await git(path, 'add', '-A')
  else if (act === 5) await git(path, 'add', '-N', '.')
  else if (act === 6) await git(path, 'rm', '-q', '--cached', '--ignore-unmatch', name)
  else if (next() < 0.5) await commitAll(path, 'step')
}

async function both(made: MadeTask) {
  const tree = taskPlace(made)
  const {list, against} = await readChanges(tree, made, readStatus(tree))
  return {
    ours: list,
    whole: (await compare(tree, against)).list.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

for (const seed of [1, 2, 3, 4, 5, 6]) {
  test(`a tree of chance ${seed} differs as git’s own whole comparison says, after every step`, async () => {
    const next = chance(seed)
    const made = await task(
      await repository(Object.fromEntries(names.slice(0, 4).map((name, index) => [name, text(index)]))),
    )
    for (let count = 0; count < 15; count++) {
      await step(made.path, next)
      const {ours, whole} = await both(made)
      assert.equal(
        ours.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
        whole,
      )
    }
  })
}

test('more edited files than can be named one by one are compared whole', async () => {
  const many = Object.fromEntries(Array.from({length: 600}, (_, index) => [`f${index}`, 'x\n']))
  const made = await task(await repository(many))
  write(made.path, Object.fromEntries(Object.keys(many).map(name => [name, 'y\n'])))
  const {ours, whole} = await both(made)
  assert.is(ours.length, 600)
  assert.equal(
    ours.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    whole,
  )
})

test('reading never writes the index, nor takes its lock, even of files that were only touched', async () => {
  const made = await task(await repository())
  const before = statSync(join(made.gitDir, 'index'))
  write(made.path, {'a.txt': readFileSync(join(made.path, 'a.txt'))})
  const {ours, whole} = await both(made)
  assert.equal([ours, whole], [[], []])
  const after = statSync(join(made.gitDir, 'index'))
  assert.equal([after.ino, after.mtimeMs], [before.ino, before.mtimeMs])
})

test.run()
