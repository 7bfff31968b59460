import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {crashDaemon, daemonsOf} from '../fixtures/daemon-process.ts'
import type {Repository} from '../fixtures/repository.ts'
import {run} from '../fixtures/running.ts'
import {PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

/** Everything that a task would have left: rows, branches, directories, worktree entries, processes. */
async function traces(termic: PrivateTermic, repository: Repository) {
  const tasks = join(termic.home, 'termic/tasks/shop')
  const entries = join(repository.path, '.git/worktrees')
  const making = join(repository.path, '.git/termic/making')
  const list = (path: string) => (existsSync(path) ? readdirSync(path) : [])
  return {
    rows: termic.rows('SELECT name FROM tasks').map(({name}) => name),
    panes: [...termic.rows('SELECT id FROM panes').map(({id}) => String(id))],
    paneDirs: list(join(termic.dataDir, 'panes')),
    branches: (await repository.git('branch', '--format=%(refname:short)'))
      .split('\n')
      .filter(name => name !== 'main'),
    directories: list(tasks),
    entries: list(entries),
    making: list(making),
    processes: termic.processes().filter(({pid}) => !daemonsOf(termic).includes(pid)),
  }
}

const nothing = {
  rows: [],
  panes: [],
  paneDirs: [],
  branches: [],
  directories: [],
  entries: [],
  making: [],
  processes: [],
}

/** A repository whose checkout waits until `release` exists, and says so. */
async function slowProject(termic: PrivateTermic) {
  const repository = await termic.project({
    files: {'.gitattributes': '*.slow filter=slow\n', 'a.slow': 'x\n', z: 'z\n'},
  })
  const [started, release] = [join(termic.place, 'started'), join(termic.place, 'release')]
  // A FIFO: the filter blocks in the kernel, and nobody polls.
  await run('mkfifo', [release])
  await repository.git('config', 'filter.slow.smudge', `touch ${started}; cat ${release} >/dev/null; cat`)
  return {repository, started, release}
}

for (const who of ['the daemon', 'the daemon and the git that it started'] as const) {
  test(`kill -9 of ${who} while git makes the worktree leaves no half task, and the name works again`, async () => {
    await using termic = new PrivateTermic()
    const {repository, started} = await slowProject(termic)
    const client = termic.start(['new', 'fix', '-p', 'touch ran'], {cwd: repository.path})
    await until('the checkout runs', () => existsSync(started))
    const git = termic.processes().filter(({command}) => /^git .*worktree add/.test(command))
    assert.is(git.length, 1)
    await crashDaemon(termic)
    if (who !== 'the daemon') for (const {pid} of git) process.kill(pid, 'SIGKILL')
    const {exit, stdout, stderr} = await client.ended
    assert.is(exit, 8)
    assert.is(stdout, '')
    assert.match(
      stderr,
      /^termic: the connection to the termic daemon was lost before it said whether this was done; /,
    )

    assert.equal((await termic.json(['list'])).tasks, [])
    await until('it was taken back', async () => (await traces(termic, repository)).rows.length === 0)
    await until('nothing of it runs', async () => (await traces(termic, repository)).processes.length === 0)
    assert.equal(await traces(termic, repository), nothing)

    await repository.git('config', 'filter.slow.smudge', 'cat')
    const again = await termic.json(['new', 'fix', '-p', 'touch ran', '--wait'], {cwd: repository.path})
    assert.is(again.wait.outcome, 'done')
    assert.ok(existsSync(join(again.task.path, 'ran')))
  })
}

test('the same name can be made again at once, before the half-made one was taken back', async () => {
  await using termic = new PrivateTermic()
  const {repository, started} = await slowProject(termic)
  const client = termic.start(['new', 'fix'], {cwd: repository.path})
  await until('the checkout runs', () => existsSync(started))
  await crashDaemon(termic)
  assert.is((await client.ended).exit, 8)
  await repository.git('config', 'filter.slow.smudge', 'cat')
  const {task} = await termic.json(['new', 'fix'], {cwd: repository.path})
  assert.is(task.name, 'fix')
  assert.ok(existsSync(join(task.path, 'a.slow')))
})

/**
 * Kills the daemon at moments that are spread over the whole of a `new`, and looks at what came of it: a whole live task
 * whose prompt runs exactly once, or nothing at all.
 */
test('kill -9 at any moment of a new leaves a whole task or none, and its prompt never runs twice', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project({
    files: Object.fromEntries(Array.from({length: 50}, (_, i) => [`f${i}`, `${i}\n`])),
  })
  const ran = join(termic.place, 'ran')
  mkdirSync(ran)
  const outcomes: string[] = []
  for (const [moment, sign] of signs.entries()) {
    const name = `t${moment}`
    const client = termic.start(['new', name, '-p', `echo x >> ${join(ran, name)}`], {cwd: repository.path})
    await atMoment(termic, sign)
    await crashDaemon(termic)
    const {exit} = await client.ended
    const {tasks} = await termic.json(['list'])
    const isThere = tasks.some((task: {name: string}) => task.name === name)
    outcomes.push(`${exit}${isThere ? ' whole' : ' none'}`)
    if (isThere) {
      const waited = await termic.json(['wait', name])
      assert.is(waited.outcomes[0].outcome, 'done')
    } else {
      if (exit === 0) assert.unreachable(`${name} was answered with 0 and is not there`)
      const again = await termic.json(['new', name, '-p', `echo x >> ${join(ran, name)}`, '--wait'], {
        cwd: repository.path,
      })
      assert.is(again.wait.outcome, 'done')
    }
    assert.is(readFileSync(join(ran, name), 'utf8'), 'x\n', `${name}: ${outcomes.at(-1)}`)
  }
  await Promise.all(signs.map((_, moment) => termic.json(['archive', `t${moment}`, '--yes'])))
  const left = await traces(termic, repository)
  assert.equal([left.directories, left.entries, left.making], [[], [], []])
  assert.is(left.branches.length, signs.length)
})

type Sign = (termic: PrivateTermic) => boolean

const has = (termic: PrivateTermic, sql: string) => termic.rows(`SELECT 1 FROM ${sql}`).length > 0
const runs = (termic: PrivateTermic, word: string) =>
  termic.processes().some(({command}) => command.includes(word))

/** What can be seen of a `new`, one after the other: from the task's row over its worktree to the prompt in its shell. */
const signs: Sign[] = [
  termic => has(termic, `tasks WHERE life = 'creating'`),
  termic => runs(termic, 'worktree add'),
  termic => has(termic, `tasks WHERE git_dir != '' AND life = 'creating'`),
  termic => runs(termic, '--rcfile'),
  termic =>
    has(termic, `deliveries JOIN tasks ON tasks.id = task_id WHERE life = 'live' AND state = 'queued'`),
  termic => has(termic, `deliveries WHERE progress LIKE '%writing%' OR state = 'written'`),
  termic => has(termic, `deliveries WHERE state IN ('submitted', 'started')`),
]

/** Waits for the sign. One that is there for an instant only may be missed; then the prompt is through. */
async function atMoment(termic: PrivateTermic, sign: Sign): Promise<void> {
  const settled = () => termic.rows(`SELECT 1 FROM deliveries WHERE state = 'settled'`).length
  const before = settled()
  while (!sign(termic) && settled() <= before) await new Promise(resolve => setImmediate(resolve))
}

test('kill -9 right after the worktree was made, and before the prompt went out, costs neither', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  // The shell starts only when it may: until then the prompt stays in the queue.
  const gate = join(termic.place, 'gate')
  await run('mkfifo', [gate])
  writeFileSync(join(termic.home, '.bashrc'), `read -r _ < ${gate}\n`)
  const {task, delivery} = await termic.json(['new', 'late', '-p', 'echo once >> ran'], {
    cwd: repository.path,
  })
  assert.is(delivery.state, 'queued')
  await crashDaemon(termic)
  const before = await termic.json(['status', 'late'])
  assert.is(before.task.queue.length, 1)
  writeFileSync(gate, '\n')
  assert.is((await termic.json(['wait', 'late'])).outcomes[0].outcome, 'done')
  assert.is(readFileSync(join(task.path, 'ran'), 'utf8'), 'once\n')
})

test.run()
