import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {JsonClient} from '../../fixtures/json-client.ts'
import {type Json, PrivateTermic} from '../../fixtures/termic.ts'

const termic = new PrivateTermic()
const called = new Set<string>()
let client: JsonClient
let repository: {path: string}

test.before(async () => {
  client = await JsonClient.connect(termic)
  repository = await termic.repository({files: {'a.txt': 'one\n'}})
})
test.after(async () => {
  client.destroy()
  await termic.close()
})

function result(method: string, params: object = {}): Promise<Json> {
  called.add(method)
  return client.result(method, params)
}

/** A reading verb answers the same over the socket as on the command line. */
async function sameAs(argv: string[], method: string, params: object = {}): Promise<void> {
  // Facts of git are read once for both where they may be a little old.
  assert.equal(timeless(await result(method, params)), timeless(await termic.json(argv)), method)
}

function timeless(value: Json): Json {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === 'checkedAt' ? 0 : inner)))
}

test('a repository becomes a project, and a project takes tasks', async () => {
  const {project} = await result('project.add', {path: repository.path})
  assert.is(project.name, 'shop')
  await sameAs(['project', 'list'], 'project.list')
})

test('a relative path is refused, since this caller has no directory', async () => {
  const {error} = await client.call('project.add', {path: 'shop'})
  assert.is(error.code, -32602)
  assert.match(error.message, 'absolute')
})

test('new and send take a prompt and wait for it', async () => {
  const made = await result('task.new', {
    name: 'fix',
    project: 'shop',
    prompt: 'echo two >> a.txt',
    wait: true,
    timeoutMs: 60_000,
  })
  assert.is(made.task.name, 'fix')
  assert.is(made.wait.outcome, 'done')
  assert.is(made.wait.exitCode, 0)
  const sent = await result('task.send', {
    task: 'shop/fix',
    prompt: 'echo -n - > b.txt; (exit 3)',
    wait: true,
  })
  assert.is(sent.delivery.state, 'settled')
  assert.is(sent.wait.exitCode, 3)
})

test('a prompt of one dash is that text, since there is no stdin', async () => {
  const sent = await result('task.send', {task: 'fix', prompt: '-', wait: true})
  assert.is(sent.wait.exitCode, 127)
})

test('a prompt under an id of its own is delivered once', async () => {
  const params = {task: 'fix', prompt: 'echo once >> c.txt', deliveryId: 'my-own-id', wait: true}
  const first = await result('task.send', params)
  const again = await result('task.send', params)
  assert.is(again.delivery.id, 'my-own-id')
  assert.is(again.delivery.submittedAt, first.delivery.submittedAt)
  const {error} = await client.call('task.send', {...params, prompt: 'echo twice'})
  assert.is(error.data.code, 'delivery.id-taken')
})

test('a wait that finds nothing to wait for answers at once', async () => {
  const {outcomes} = await result('task.wait', {tasks: ['fix'], timeoutMs: 60_000})
  assert.equal(
    outcomes.map(({outcome}: Json) => outcome),
    ['done'],
  )
})

test('what verbs tell is the same over the socket and with --json', async () => {
  await sameAs(['list'], 'task.list')
  await sameAs(['list', '-q', '--state', 'done'], 'task.list', {quiet: true, state: 'done'})
  await sameAs(['status', 'fix'], 'task.status', {task: 'fix'})
  await sameAs(['diff', 'fix'], 'task.diff', {task: 'fix'})
  await sameAs(['diff', 'fix', '--full', '--limit', '40'], 'task.diff', {task: 'fix', full: true, limit: 40})
  await sameAs(['log', 'fix', '-n', '3'], 'task.log', {task: 'fix', lines: 3})
  await sameAs(['path', 'fix'], 'task.path', {task: 'fix'})
  await sameAs(['env', 'fix'], 'task.env', {task: 'fix'})
  await sameAs(['whoami'], 'whoami')
  await sameAs(['agents'], 'agents')
  await sameAs(['config', 'list'], 'config.list')
  await sameAs(['config', 'get', 'agent'], 'config.get', {key: 'agent'})
})

test('so are the errors', async () => {
  for (const [argv, method, params] of [
    [['status', 'nobody'], 'task.status', {task: 'nobody'}],
    [['path', 'other/fix'], 'task.path', {task: 'other/fix'}],
    [['new', '..', '--project', 'shop'], 'task.new', {name: '..', project: 'shop'}],
    [['new', 'fix', '--project', 'shop'], 'task.new', {name: 'fix', project: 'shop'}],
    [
      ['new', 'x', '--project', 'shop', '--agent', 'claude'],
      'task.new',
      {name: 'x', project: 'shop', agent: 'claude'},
    ],
    [['config', 'get', 'nothing'], 'config.get', {key: 'nothing'}],
    [['project', 'remove', 'shop', '--yes'], 'project.remove', {project: 'shop'}],
    [['send', 'fix', '-p', ''], 'task.send', {task: 'fix', prompt: ''}],
  ] as const) {
    const {stdout, exit} = await termic.run(['--json', ...argv])
    const {error: printed} = JSON.parse(stdout)
    const {error} = await client.call(method, params)
    assert.is(exit, 1, argv.join(' '))
    assert.equal(
      {code: error.data.code, message: error.message},
      {code: printed.code, message: printed.message},
    )
  }
})

test('an answer that is too long for a line is refused with how to get it in parts', async () => {
  const prompt = "head -c 3000000 /dev/zero | tr '\\0' '\\001' > control-characters"
  await result('task.send', {task: 'fix', prompt, wait: true})
  const params = {task: 'fix', full: true, limit: 8 * 1024 * 1024}
  const {error} = await client.call('task.diff', params)
  assert.is(error.data.code, 'output.too-large')
  assert.is(error.data.limit, 8_388_608)
  assert.ok((await result('task.diff', {...params, limit: 1_000_000})).patch.length > 0)
})

test('settings are set and unset', async () => {
  assert.is((await result('config.set', {key: 'log.limitBytes', value: '2000000'})).setting.value, 2_000_000)
  assert.is((await result('config.unset', {key: 'log.limitBytes'})).wasSet, true)
})

test('events come as they happen, from where one says', async () => {
  called.add('events')
  const id = client.begin('events', {after: 0})
  const created = await client.hears(
    'that the task was made',
    ({params}) => params?.id === id && params.event.type === 'task.created',
  )
  assert.equal(created.params.event.data, {name: 'fix', project: 'shop'})
  client.say({method: '$/cancel', params: {id}})
  const {result} = await client.response(id)
  const seqs = client.heard.filter(({params}) => params?.id === id).map(({params}) => params.event.seq)
  assert.equal(
    seqs,
    seqs.map((_, at) => at + 1),
    'without a gap',
  )
  assert.is(result.lastSeq, seqs.at(-1))
})

test('archive asks nobody here, refuses to lose work, and needs no stdin', async () => {
  const {error} = await client.call('task.archive', {task: 'fix'})
  assert.is(error.data.code, 'task.unsaved-work')
  await result('task.send', {task: 'fix', prompt: 'git add -A && git commit -qm done', wait: true})
  const archived = await result('task.archive', {task: 'fix'})
  assert.is(archived.endedPanes, 1)
  assert.equal((await result('task.list')).tasks, [])
  assert.ok(await result('project.remove', {project: 'shop'}))
})

test('no verb was left out', async () => {
  const {commands} = await termic.json(['help'])
  const methods = commands
    .filter(({scope}: Json) => scope)
    .map(({name}: Json) => name.replaceAll(' ', '.'))
    .filter((name: string) => !called.has(name) && !called.has(`task.${name}`))
  assert.equal(methods, [])
})

test.run()
