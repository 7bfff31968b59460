import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import type {Repository} from '../fixtures/repository.ts'
import {type Json, PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

const termic = new PrivateTermic()
let shop: Repository
let blog: Repository
test.before(async () => {
  shop = await termic.project({commits: 2})
  blog = await termic.project({path: 'blog'})
  await termic.json(['new', 'idle', '--project', 'shop'])
  await termic.json(['new', 'post', '--project', 'blog', '-p', 'echo "one two"; seq 50', '--wait'])
  await termic.json(['new', 'busy', '--project', 'shop'])
  await termic.json(['send', 'busy', '-p', 'sleep 300'])
  await until('it works', async () => (await taskOf('busy')).state.name === 'working')
})
test.after(() => termic.close())

async function taskOf(name: string): Promise<Json> {
  return (await termic.json(['status', name])).task
}

async function names(...argv: string[]): Promise<string[]> {
  return (await termic.json(['list', ...argv])).tasks.map(({name}: Json) => name)
}

async function out(...argv: string[]): Promise<string> {
  const {exit, stdout, stderr} = await termic.run(argv)
  assert.equal([exit, stderr], [0, ''], argv.join(' '))
  return stdout
}

test('list: by project, by state, and ids alone', async () => {
  assert.equal(await names(), ['post', 'busy', 'idle'])
  assert.equal(await names('--project', 'SHOP'), ['busy', 'idle'])
  assert.equal(await names('--state', 'working'), ['busy'])
  assert.equal(await names('--state', 'done', '--project', 'shop'), [])
  const ids = (await termic.json(['list'])).tasks.map(({id}: Json) => `${id}\n`)
  assert.is(await out('list', '-q'), ids.join(''))
  assert.is(await out('ls', '--quiet', '--state', 'lost'), '')
})

test('list without a task says how to make one', async () => {
  const empty = new PrivateTermic()
  assert.is((await empty.run(['list'])).stdout, 'no tasks; `termic new NAME -p "…"` makes one\n')
  assert.is(
    (await empty.run(['project', 'list'])).stdout,
    'no projects; `termic project add` registers this repository\n',
  )
  assert.equal(await empty.json(['list']), {tasks: []})
  await empty.close()
})

test('a task is named by its id, its name in any case, or project/name', async () => {
  const {id} = await taskOf('post')
  for (const name of [id, 'POST', 'blog/post']) assert.is((await taskOf(name)).id, id)
  assert.is((await termic.run(['status', 'shop/post'])).exit, 1)
  assert.is((await termic.run(['status', 'post', '--project', 'shop'])).exit, 1)
})

test('log: so many lines, a page from an offset, and everything as it was written', async () => {
  assert.match(await out('log', 'post', '-n', '3'), /^49\n50\n[^\n]*\n$/)
  const whole = await termic.json(['log', 'post', '--offset', '0', '--raw'])
  assert.match(whole.text, /\r\n50\r\n/)
  assert.equal([whole.offset, whole.nextOffset > 400, whole.eof], [0, true, false])
  const page = await termic.json(['log', 'post', '--offset', '10', '--limit', '20', '--raw'])
  assert.equal([page.text, page.offset, page.nextOffset], [whole.text.slice(10, 30), 10, 30])
  assert.is((await termic.json(['log', 'post', '--offset', `${whole.nextOffset}`])).text, '')
  assert.is((await termic.run(['log', 'post', '--tab', '1', '-n', '1'])).exit, 0)
  assert.is((await termic.run(['log', 'post', '--tab', 'Shell'])).exit, 0)
})

test('status: facts of git may be as old as one allows', async () => {
  const first = await taskOf('idle')
  const {task} = await termic.json(['status', 'idle', '--max-age', '1h'])
  assert.is(task.diff.checkedAt, first.diff.checkedAt)
  await termic.shell('echo x > "$(termic path idle)/new"')
  assert.is((await taskOf('idle')).dirty.untracked, 1)
})

test('wait: all of several tasks, or the first of them', async () => {
  const all = await termic.run(['wait', 'idle', 'post', '--json'])
  assert.is(all.exit, 0)
  assert.equal(
    JSON.parse(all.stdout).outcomes.map(({task}: Json) => task),
    ['idle', 'post'],
  )
  const {outcomes} = await termic.json(['wait', 'busy', 'post', '--any'])
  assert.equal(
    outcomes.map(({task, outcome}: Json) => [task, outcome]),
    [['post', 'done']],
  )
  const mixed = await termic.run(['wait', 'post', 'busy', '--timeout', '0'])
  assert.is(mixed.exit, 7)
  assert.match(mixed.stdout, /^post: .*\nbusy: the time is over; task busy goes on\n$/)
  assert.is((await termic.run(['wait', 'idle', 'nope'])).exit, 1)
})

test('send: one id is one prompt, however often it is sent', async () => {
  const send = ['send', 'post', '-p', 'echo x >> count', '--delivery-id', 'only-once', '--wait']
  const [first, second] = [await termic.json(send), await termic.json(send)]
  assert.is(first.delivery.id, 'only-once')
  assert.equal(second.delivery, first.delivery)
  assert.is(readFileSync(join((await taskOf('post')).path, 'count'), 'utf8'), 'x\n')
  const {delivery} = await termic.json(['send', 'post', '--delivery-id', 'only-once'])
  assert.is(delivery.state, 'settled')
})

test('send: a fresh agent after the old one has ended, and the prompt that was not delivered again', async () => {
  await termic.json(['new', 'ending', '--project', 'shop'])
  await termic.json(['send', 'ending', '-p', 'read -r line; exit'])
  await termic.json(['send', 'ending', '-p', 'echo again > again'])
  const {task} = await termic.json(['status', 'ending'])
  const pane = task.tabs[0].panes[0].pane.slice(1)
  const shell = termic.processes().find(({command}) => command.includes(`/panes/${pane}/shell/`))
  process.kill(shell?.pid ?? 0, 'SIGKILL')
  await until('it has ended', async () => (await taskOf('ending')).queued === 0)

  const {delivery, wait} = await termic.json(['send', 'ending', '--again', '--fresh', '--wait'])
  assert.equal([delivery.state, wait.exitCode], ['settled', 0])
  assert.is(readFileSync(join(task.path, 'again'), 'utf8'), 'again\n')
  const [tab] = (await taskOf('ending')).tabs
  assert.is(tab.panes.at(-1).state.name, 'done')
})

test('new: project, base, name and agent', async () => {
  const {task} = await termic.json([
    'new',
    '--project',
    'shop',
    '--base',
    'main~1',
    '-p',
    'Fix the login, please!',
  ])
  const commit = await shop.git('rev-parse', 'main~1')
  assert.equal([task.name, task.project, task.base], ['fix-the-login-please', 'shop', commit])
  assert.is((await taskOf(task.id)).baseCommit, commit)
  const again = await termic.json(['new', '--project', 'shop', '-p', 'Fix the login, please!'])
  assert.is(again.task.name, 'fix-the-login-please-2')
  const own = await termic.json(['new', 'own', '--project', 'shop', '--agent', 'cat -u'])
  assert.is(own.task.agent, 'cat -u')
  await termic.json(['config', 'set', 'agents.repl.command', 'cat -u'])
  assert.is((await termic.json(['new', 'set', '--project', 'shop', '--agent', 'repl'])).task.agent, 'repl')
})

test('new: an existing branch is taken up', async () => {
  await blog.git('branch', 'draft')
  const {task} = await termic.json(['new', 'draft', '--project', 'blog'])
  assert.is(task.branch, 'draft')
  await termic.json(['archive', 'draft', '--yes'])
  assert.is(await blog.git('branch', '--list', 'draft'), '  draft')
})

test('project add: any directory of the repository, a name, a base, and again', async () => {
  const {path} = await termic.repository({path: 'my own', files: {'a/b/c': ''}})
  const first = await termic.json(['project', 'add', 'a/b', '--base', 'main', '--name', 'mine'], {cwd: path})
  assert.equal(
    [first.added, first.project.name, first.project.root, first.project.base],
    [true, 'mine', path, 'main'],
  )
  const again = await termic.json(['project', 'add', path])
  assert.equal([again.added, again.project.id], [false, first.project.id])
  const other = await termic.repository({path: 'elsewhere/shop'})
  assert.is((await termic.json(['project', 'add', other.path])).project.name, 'shop-2')
})

test('config: what a person types is read by what the setting takes', async () => {
  const value = async (key: string, typed: string) =>
    (await termic.json(['config', 'set', key, typed])).setting.value
  assert.is(await value('log.limitBytes', '1048576'), 1_048_576)
  assert.equal(await value('agents.two.command', '["a b", "-x"]'), ['a b', '-x'])
  assert.equal(await value('agents.two.command', 'a -x'), ['a', '-x'])
  assert.is((await termic.json(['config', 'unset', 'agents.two.command'])).wasSet, true)
  assert.is(await out('config', 'get', 'tasksPath'), '~/termic/tasks\n')
  await value('tasksPath', join(termic.place, 'other tasks'))
  const {task} = await termic.json(['new', 'placed', '--project', 'shop'])
  assert.is(task.path, join(termic.place, 'other tasks/shop/placed'))
})

test.run()
