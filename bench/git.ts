import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {execFile} from '../src/core/child-process.ts'
import {addWorktree} from '../src/core/git/add-worktree.ts'
import {resolveBase} from '../src/core/git/base.ts'
import {readFacts} from '../src/core/git/facts.ts'
import type {GitTask} from '../src/core/git/task-place.ts'

const files = 5_000
const rounds = {add: 5, facts: 20}
const exec = promisify(execFile)
const git = (cwd: string, ...args: string[]) => exec('git', args, {cwd})

/** What termic adds to git, as ratios of medians taken in turn: making a worktree, reading the facts of one. */
export async function run(): Promise<void> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'bench-git-')))
  try {
    const root = await repositoryOf(place)
    const made = {root, gitDir: join(root, '.git')}
    const {commit} = await resolveBase(made)
    await benchAdd(place, made, commit)
    await benchFacts(place, made, commit)
  } finally {
    rmSync(place, {recursive: true, force: true})
  }
}

async function repositoryOf(place: string): Promise<string> {
  const root = join(place, 'repo')
  for (let file = 0; file < files; file++) {
    const directory = join(root, `d${file % 50}`)
    mkdirSync(directory, {recursive: true})
    writeFileSync(join(directory, `f${file}.ts`), `line ${file}\n`.repeat(80))
  }
  await git(root, 'init', '-q', '-b', 'main')
  await git(root, 'add', '-A')
  await git(root, '-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-q', '-m', 'one')
  return root
}

async function benchAdd(place: string, made: {root: string; gitDir: string}, commit: string): Promise<void> {
  const times = {ours: [] as number[], bare: [] as number[]}
  for (let round = 0; round < rounds.add; round++) {
    const path = join(place, `bare${round}`)
    times.bare.push(
      await timed(() =>
        git(made.root, 'worktree', 'add', '-q', '--no-track', '-b', `bare${round}`, path, 'main'),
      ),
    )
    const want = {
      ...made,
      id: `${round}`,
      path: join(place, `ours${round}`),
      branch: `ours${round}`,
      commit,
      newBranch: true,
    }
    times.ours.push(await timed(() => addWorktree(want)))
  }
  print(`addWorktree, ${files} files`, times.ours, times.bare, 'bare git worktree add')
}

async function benchFacts(
  place: string,
  made: {root: string; gitDir: string},
  commit: string,
): Promise<void> {
  const want = {...made, id: 'facts', path: join(place, 'facts'), branch: 'facts', commit, newBranch: true}
  const task: GitTask = {
    name: 'facts',
    ...(await addWorktree(want)),
    base: 'main',
    baseRef: 'refs/heads/main',
    baseCommit: commit,
  }
  await git(task.path, 'status')
  await compareFacts('clean', task)
  for (let file = 0; file < 20; file++) {
    writeFileSync(join(task.path, 'd1', `f${file * 50 + 1}.ts`), 'edited\n')
    writeFileSync(join(task.path, `new${file}.ts`), 'new\n'.repeat(50))
  }
  await git(task.path, 'status')
  await compareFacts('20 edited and 20 untracked', task)
}

async function compareFacts(what: string, task: GitTask): Promise<void> {
  const times = {ours: [] as number[], bare: [] as number[]}
  for (let round = 0; round < rounds.facts; round++) {
    times.bare.push(await timed(() => git(task.path, 'status', '--porcelain=v2', '--branch')))
    times.ours.push(await timed(() => readFacts(task)))
  }
  print(`readFacts, ${files} files, ${what}`, times.ours, times.bare, 'bare git status')
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function print(what: string, ours: number[], floor: number[], floorName: string): void {
  const [mine = 0, bare = 0] = [median(ours), median(floor)]
  console.log(
    `${what}: ${mine.toFixed(1)} ms, ${(mine / bare).toFixed(2)} × ${floorName} (${bare.toFixed(1)} ms)`,
  )
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
