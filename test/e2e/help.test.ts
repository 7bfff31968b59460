import {existsSync} from 'node:fs'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {type Json, PrivateTermic} from '../fixtures/termic.ts'

/** Has no daemon and never gets one: help needs none. */
const idle = new PrivateTermic()
const termic = new PrivateTermic()
let commands: Array<{name: string; about: string; aliases: string[]}> = []
test.before(async () => {
  commands = (await idle.json(['help'])).commands
  const {path} = await termic.project()
  await termic.json(['new', 'kept'], {cwd: path})
})
test.after(() => termic.close())
test.after(() => idle.close())

/** Everything that a verb could have changed. */
async function standing(): Promise<Json> {
  const {projects} = await termic.json(['project', 'list'])
  const {tasks} = await termic.json(['list', '--fresh'])
  return {
    projects,
    tasks: tasks.map(({id, name, state}: Json) => [id, name, state.name]),
    settings: (await termic.json(['config', 'list'])).settings,
    panes: await termic.rows('SELECT id, closed_at FROM panes'),
    deliveries: await termic.rows('SELECT id FROM deliveries'),
    pid: await termic.daemonPid(),
  }
}

async function allOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items]
  await Promise.all(
    [1, 2].map(async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item)
    }),
  )
}

test('every command shows its help without a daemon, with the flag before or after it', async () => {
  assert.ok(commands.length > 20)
  await allOf(commands, async ({name, about}) => {
    for (const argv of [
      [...name.split(' '), '--help'],
      ['-h', ...name.split(' ')],
    ]) {
      const {exit, stdout, stderr} = await idle.run(argv)
      assert.is(exit, 0, `${argv.join(' ')}: ${stderr}`)
      assert.is(stderr, '')
      assert.ok(stdout.startsWith(`${about}\n\nusage:\n  termic ${name}`), argv.join(' '))
      assert.match(stdout, /\nexit codes:\n {2}0 +done\n {2}1 +error\n {2}2 +wrong usage\n/)
      assert.match(stdout, /\n {2}-h, --help /)
    }
  })
  assert.not(existsSync(idle.dataDir))
})

// agent-deck#1993: `x install --help` installed.
test('--help beside anything else acts on nothing', async () => {
  const before = await standing()
  await allOf(commands, async ({name, about}) => {
    const argv = [...name.split(' '), 'kept', 'x', '--yes', '--nope', '--help', '--base']
    const {exit, stdout, stderr} = await termic.run(argv)
    assert.is(exit, 0, `${argv.join(' ')}: ${stderr}`)
    assert.ok(stdout.startsWith(about), argv.join(' '))
  })
  assert.equal(await standing(), before)
})

test('a topic shows its commands', async () => {
  for (const argv of [
    ['project', '--help'],
    ['--help', 'project'],
    ['help', 'project'],
  ]) {
    const {exit, stdout} = await idle.run(argv)
    assert.is(exit, 0)
    assert.equal(stdout.match(/^termic project \w+/gm), [
      'termic project add',
      'termic project list',
      'termic project remove',
    ])
  }
})

test('without a word, with --help and as a command, help lists every command and starts no daemon', async () => {
  for (const argv of [[], ['--help'], ['-h'], ['help']]) {
    const {exit, stdout, stderr} = await idle.run(argv)
    assert.is(exit, 0)
    assert.is(stderr, '')
    for (const {name, about} of commands)
      assert.match(stdout, new RegExp(`^  ${name}\\b.* {2}${escaped(about)}$`, 'm'))
  }
  assert.not(existsSync(idle.dataDir))
})

test('help of one command is what its --help shows', async () => {
  for (const words of [['send'], ['project', 'add'], ['ls'], ['task', 'new']]) {
    const {stdout} = await idle.run(['help', ...words])
    assert.is(stdout, (await idle.run([...words, '--help'])).stdout)
  }
})

test('help --json tells of every command what a script or a model needs', async () => {
  const help = await idle.json(['help'])
  assert.is(help.app, 'termic')
  assert.match(help.version, /^\d+\.\d+\.\d+/)
  assert.is(help.exit_codes['9'], 'the prompt was never delivered')
  assert.ok(help.global_flags.some(({flag, short}: Json) => flag === '--help' && short === '-h'))
  const send = help.commands.find(({name}: Json) => name === 'send')
  assert.equal(
    {...send, about: '', args: [], flags: [], input: {}, result: {}},
    {
      ...{name: 'send', aliases: [], about: '', args: [], flags: [], input: {}, result: {}},
      ...{mcp: 'task_send', scope: 'scoped', exit_codes: send.exit_codes},
      annotations: {readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true},
    },
  )
  assert.equal(Object.keys(send.exit_codes), ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
  const prompt = send.flags.find(({flag}: Json) => flag === '--prompt')
  assert.equal({...prompt, help: ''}, {flag: '--prompt', short: '-p', value: 'TEXT', help: ''})
  assert.is(send.input.properties.timeoutMs.type, 'integer')
  assert.ok(send.result.required.includes('delivery'))
  const path = help.commands.find(({name}: Json) => name === 'path')
  assert.is(path.mcp, null)
  assert.match(path.mcpExcluded, /\w/)
})

test('--help --json is one object about the one command', async () => {
  for (const argv of [
    ['list', '--help', '--json'],
    ['--json', '-h', 'list'],
    ['help', 'list', '--json'],
  ]) {
    const {exit, stdout} = await idle.run(argv)
    assert.is(exit, 0)
    assert.equal(
      JSON.parse(stdout).commands.map(({name}: Json) => name),
      ['list'],
    )
  }
})

test('version is told in three spellings, in text and JSON', async () => {
  for (const argv of [['version'], ['--version'], ['--no-launch', 'version']]) {
    const {exit, stdout} = await idle.run(argv)
    assert.is(exit, 0)
    assert.match(stdout, /^termic \d+\.\d+\.\d+ \(node \d+\.\d+\.\d+\)\n$/)
  }
  assert.match((await idle.json(['version'])).version, /^\d+\.\d+\.\d+/)
})

test('help of what does not exist is wrong usage with a hint', async () => {
  for (const [argv, pattern] of [
    [
      ['help', 'lits'],
      /^termic: there is no verb "lits" \(did you mean list\?\); `termic help` lists the verbs\n$/,
    ],
    [['lits', '--help'], /did you mean list\?/],
    [['help', 'project', 'nope'], /no verb "project nope" \(project has add, list, remove\)/],
    [['help', 'list', 'extra'], /no verb "list extra"/],
    [['help', '--nope'], /^termic: nonexistent flag: --nope; /],
  ] as const) {
    const {exit, stdout, stderr} = await idle.run(argv)
    assert.is(exit, 2)
    assert.is(stdout, '')
    assert.match(stderr, pattern)
  }
  assert.not(existsSync(idle.dataDir))
})

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

test.run()
