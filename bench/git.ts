import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {promisify} from 'node:util'
import {execFile} from '../src/core/child-process.ts'
import {addWorktree} from '../src/core/git/add-worktree.ts'
import {resolveBase} from '../src/core/git/base.ts'
import {readFacts} from '../src/core/git/facts.ts'
import type {GitTask} from '../src/core/git/task-place.ts'
import {elapsedMs, type Figure, inTurn, slowdown} from './figure.ts'

const files = 5_000
const rounds = {add: 5, facts: 20}
const exec = promisify(execFile)
const git = (cwd: string, ...args: string[]) => exec('git', args, {cwd})

/** What termic adds to git: making a worktree, reading the facts of one. */
export async function run(): Promise<Figure[]> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'bench-git-')))
  try {
    const root = await repositoryOf(place)
    const made = {root, gitDir: join(root, '.git')}
    const {commit} = await resolveBase(made)
    return [await benchAdd(place, made, commit), ...(await benchFacts(place, made, commit))]
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

async function benchAdd(
  place: string,
  made: {root: string; gitDir: string},
  commit: string,
): Promise<Figure> {
  const [ours = [], floor = []] = await inTurn(rounds.add, [
    round =>
      elapsedMs(() =>
        addWorktree({
          ...made,
          ...{id: `${round}`, path: join(place, `ours${round}`), branch: `ours${round}`, commit},
          newBranch: true,
        }),
      ),
    round =>
      elapsedMs(() =>
        git(
          made.root,
          'worktree',
          'add',
          '-q',
          '--no-track',
          '-b',
          `bare${round}`,
          join(place, `bare${round}`),
        ),
      ),
  ])
  return slowdown({
    name: 'a worktree and its branch, without a task',
    than: '`git worktree add`',
    ours,
    floor,
  })
}

async function benchFacts(
  place: string,
  made: {root: string; gitDir: string},
  commit: string,
): Promise<Figure[]> {
  const want = {...made, id: 'facts', path: join(place, 'facts'), branch: 'facts', commit, newBranch: true}
  const task: GitTask = {
    name: 'facts',
    ...(await addWorktree(want)),
    base: 'main',
    baseRef: 'refs/heads/main',
    baseCommit: commit,
  }
  await git(task.path, 'status')
  const clean = await compareFacts('clean', task)
  for (let file = 0; file < 20; file++) {
    writeFileSync(join(task.path, 'd1', `f${file * 50 + 1}.ts`), 'edited\n')
    writeFileSync(join(task.path, `new${file}.ts`), 'new\n'.repeat(50))
  }
  await git(task.path, 'status')
  return [clean, await compareFacts('20 files edited and 20 new', task)]
}

async function compareFacts(what: string, task: GitTask): Promise<Figure> {
  const [ours = [], floor = []] = await inTurn(rounds.facts, [
    () => elapsedMs(() => readFacts(task)),
    () => elapsedMs(() => git(task.path, 'status', '--porcelain=v2', '--branch')),
  ])
  return slowdown({name: `state and diff counts of a worktree, ${what}`, than: '`git status`', ours, floor})
}
