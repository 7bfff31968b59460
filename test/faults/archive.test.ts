import {existsSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {crashDaemon, daemonsOf} from '../fixtures/daemon-process.ts'
import {repositoryAt} from '../fixtures/repository.ts'
import {type Json, PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

/** Refuses TERM and HUP, forks twice, leaves its session and its terminal; so do its children. */
const stubborn = `trap "" TERM HUP INT
setsid sh -c 'trap "" TERM HUP; sleep 1001 & exec sleep 1002' </dev/null >/dev/null 2>&1 &
(setsid sh -c '(trap "" TERM HUP; exec sleep 1003) & exit' </dev/null >/dev/null 2>&1 &)
(sh -c 'sleep 1004 & exit' &)
while :; do sleep 1005; done`

function sleepers(termic: PrivateTermic): number[] {
  return termic
    .processes()
    .filter(({command}) => /^sleep 100\d/.test(command))
    .map(({pid}) => pid)
}

/** A host gives those who watch it a moment after its last word. */
function untilDaemonAlone(termic: PrivateTermic): Promise<boolean> {
  return until('no process but the daemon is left', () => {
    const daemons = daemonsOf(termic)
    return termic.processes().every(({pid}) => daemons.includes(pid))
  })
}

async function stubbornTask(termic: PrivateTermic) {
  const repository = await termic.project()
  const script = join(termic.place, 'stubborn.sh')
  writeFileSync(script, stubborn)
  const {task} = await termic.json(['new', 'one', '-p', `sh ${script}`], {cwd: repository.path})
  await until('all of it runs', () => sleepers(termic).length >= 5)
  return {repository, task}
}

// agent-deck#729; thedotmack/claude-mem#1007; anomalyco/opencode#11225; vfarcic/dot-agent-deck#668: children survive the stop,
// hundreds of orphans.
test('an agent that forks twice, ignores TERM and HUP and leaves its session is gone to the last process', async () => {
  await using termic = new PrivateTermic()
  const {repository, task} = await stubbornTask(termic)
  const archived = await termic.json(['archive', 'one', '--yes'])
  assert.equal([archived.endedPanes, archived.remainingProcesses], [1, 0])
  assert.ok(archived.endedProcesses >= 6, `${archived.endedProcesses}`)
  assert.equal(sleepers(termic), [])
  await untilDaemonAlone(termic)
  assert.not(existsSync(task.path))
  assert.match(await repository.git('branch', '--list', 'one'), /one/)
})

test('kill -9 of the daemon while it archives: the next one finishes it', async () => {
  await using termic = new PrivateTermic()
  const {repository, task} = await stubbornTask(termic)
  const client = termic.start(['archive', 'one', '--yes'])
  await until('it has begun', () => termic.rows(`SELECT 1 FROM tasks WHERE life = 'archiving'`).length > 0)
  await crashDaemon(termic)
  assert.is((await client.ended).exit, 8)
  await termic.json(['list'])
  await until('it is archived', () => termic.rows(`SELECT 1 FROM tasks WHERE life = 'archived'`).length > 0)
  assert.equal((await termic.json(['list'])).tasks, [])
  assert.equal(sleepers(termic), [])
  assert.not(existsSync(task.path))
  assert.not(
    existsSync(join(repository.path, '.git/worktrees')) &&
      readdirSync(join(repository.path, '.git/worktrees')).length > 0,
  )
  assert.match(await repository.git('branch', '--list', 'one'), /one/)
  await untilDaemonAlone(termic)
})

test('kill -9 while the files are being removed: the next one removes the rest, and takes none for work of the agent', async () => {
  await using termic = new PrivateTermic()
  const files = Object.fromEntries(Array.from({length: 4000}, (_, i) => [`d${i % 40}/f${i}`, 'x\n']))
  const repository = await termic.project({files})
  const {task} = await termic.json(['new', 'one', '-p', 'exit', '--wait'], {cwd: repository.path})
  const aside = join(dirname(task.path), `.one.removing`)
  const client = termic.start(['archive', 'one', '--yes'])
  const isOver = () => termic.rows(`SELECT 1 FROM tasks WHERE life = 'archived'`).length > 0
  while (!existsSync(aside) && !isOver()) await new Promise(resolve => setImmediate(resolve))
  await crashDaemon(termic)
  await client.ended
  await termic.json(['list'])
  await until('it is archived', isOver)
  assert.equal(existsSync(task.path) || existsSync(aside), false)
  assert.equal(readdirSync(dirname(task.path)), [])
})

// Untrivial-ai/agent-orchestrator#1926; claude-code#35862; zed#60907; gitbutler#15201; agent-deck#1449, #2023: the clean-up
// destroys dirty, untracked or unpushed work.
test('work that is in no commit is refused by its name, and the agent goes on', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  const {task} = await termic.json(['new', 'one', '-p', 'true', '--wait'], {cwd: repository.path})
  const tree = repositoryAt(task.path, termic.env)
  const refused = async (what: RegExp) => {
    const {exit, stdout, stderr} = await termic.run(['archive', 'one', '--yes'])
    assert.is(exit, 1)
    assert.is(stdout, '')
    assert.match(
      stderr,
      /^termic: task one has work that is in no commit \(.*\), so it was not archived; .*\n$/,
    )
    assert.match(stderr, what)
    assert.ok(existsSync(task.path))
    const {wait} = await termic.json(['send', 'one', '-p', 'true', '--wait'])
    assert.is(wait.outcome, 'done', 'the agent lives')
  }
  tree.write('new file.txt', 'x')
  await refused(/new file\.txt/)
  rmSync(join(task.path, 'new file.txt'))
  tree.write('README.md', 'changed\n')
  await refused(/README\.md/)
  await tree.git('checkout', '-q', '--', '.')
  await tree.git('checkout', '-q', '--detach')
  tree.write('README.md', 'detached\n')
  const commit = await tree.commit('on no branch')
  await refused(new RegExp(commit.slice(0, 7)))
  await tree.git('branch', 'saved')
  assert.is((await termic.run(['archive', 'one', '--yes'])).exit, 0)
  assert.is(await repository.git('rev-parse', 'saved'), commit)
})

test('work that an agent leaves when it is ended is found before anything is removed', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  const {task} = await termic.json(['new', 'one', '-p', `trap 'echo last > last-words' EXIT`, '--wait'], {
    cwd: repository.path,
  })
  const {exit, stderr} = await termic.run(['archive', 'one', '--yes'])
  assert.is(exit, 1, stderr)
  assert.match(stderr, /last-words/)
  assert.is(readFileSync(join(task.path, 'last-words'), 'utf8'), 'last\n')
  const {tasks} = await termic.json(['list'])
  assert.is(tasks.length, 1)
  const fresh = await termic.json(['send', 'one', '--fresh', '-p', 'rm last-words', '--wait'])
  assert.is(fresh.wait.outcome, 'done')
  assert.is((await termic.run(['archive', 'one', '--yes'])).exit, 0)
})

test('a worktree that was deleted by hand is shown as missing, and archive files it away', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  const {task} = await termic.json(['new', 'one', '-p', 'true', '--wait'], {cwd: repository.path})
  rmSync(task.path, {recursive: true})
  const {tasks} = await termic.json(['list', '--fresh'])
  assert.equal([tasks[0].missing, tasks[0].diff.value], [true, null])
  assert.match((await termic.run(['list'])).stdout, /missing/)
  const status = await termic.json(['status', 'one'])
  assert.is(status.task.missing, true)
  const {exit, stderr} = await termic.run(['diff', 'one'])
  assert.is(exit, 1)
  assert.match(
    stderr,
    /^termic: the worktree .* of task one is gone; `termic archive one` files the task away/,
  )
  const archived = await termic.json(['archive', 'one', '--yes'])
  assert.is(archived.remainingProcesses, 0)
  assert.equal((await termic.json(['list'])).tasks, [])
  assert.match(await repository.git('branch', '--list', 'one'), /one/)
  assert.is((await repository.git('worktree', 'list')).split('\n').length, 1)
  await untilDaemonAlone(termic)
})

test('of two that archive at once one does it, and the other says that it was done', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  await termic.json(['new', 'one', '-p', 'true', '--wait'], {cwd: repository.path})
  const ends = await Promise.all([1, 2].map(() => termic.run(['archive', 'one', '--yes', '--json'])))
  assert.equal(ends.map(({exit}) => exit).sort(), [0, 1])
  const loser = ends.find(({exit}) => exit === 1)
  assert.ok(
    ['task.archived', 'task.not-found'].includes(JSON.parse(String(loser?.stdout)).error.code),
    loser?.stdout,
  )
  assert.is(termic.rows(`SELECT count(*) AS count FROM events WHERE type = 'task.archived'`)[0]?.count, 1)
})

test('prompts that wait when a task is archived fail and say so', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  await termic.json(['new', 'one', '-p', 'cat', '--delivery-id', 'first'], {cwd: repository.path})
  const waiting = termic.start(['send', 'one', '-p', 'echo never', '--wait', '--json'])
  await until('both are there', () => termic.rows('SELECT 1 FROM deliveries').length === 2)
  await termic.json(['archive', 'one', '--yes'])
  const {exit, stdout} = await waiting.ended
  assert.is(exit, 9, stdout)
  const rows = termic.rows('SELECT state, reason FROM deliveries ORDER BY seq')
  assert.is(rows[1]?.state, 'failed')
  assert.not(rows.some((row: Json) => ['queued', 'written', 'submitted', 'started'].includes(row.state)))
})

test.run()
