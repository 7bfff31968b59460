import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {type Json, PrivateTermic} from '../fixtures/termic.ts'

const termic = new PrivateTermic()
const idle = new PrivateTermic()
let commands: Json[] = []
test.before(async () => {
  await termic.project()
  commands = (await termic.json(['help'])).commands
})
test.after(() => termic.close())
test.after(() => idle.close())

/** The words of a command and something for each argument that it requires. */
function callOf({name, args}: Json): string[] {
  return [...name.split(' '), ...args.filter(({required}: Json) => required).map(() => 'x')]
}

test('--no-launch starts nothing: exit 4, wherever it stands and however it is said', async () => {
  for (const [argv, env] of [
    [['--no-launch', 'list'], {}],
    [['list', '--no-launch'], {}],
    [['send', 'json', '-p', '--json', '--no-launch'], {}],
    [['list'], {TERMIC_NO_LAUNCH: '1'}],
  ] as const) {
    const {exit, stdout, stderr} = await idle.run(argv, {env})
    assert.equal([exit, stdout], [4, ''], argv.join(' '))
    assert.is(
      stderr,
      'termic: the termic daemon is not running and --no-launch was given; `termic daemon start` starts it\n',
    )
  }
  for (const argv of [
    ['--no-launch', 'list', '--json'],
    ['--no-launch', '--output-format=json', 'list'],
  ]) {
    const {exit, stdout, stderr} = await idle.run(argv)
    assert.equal([exit, stderr], [4, ''])
    assert.is(JSON.parse(stdout).error.code, 'daemon.not-running')
  }
  const {stdout} = await idle.run(['list', '--no-launch', '--output-format', 'stream-json'])
  assert.is(JSON.parse(stdout).type, 'error')
  assert.not(existsSync(idle.dataDir))
})

test('--no-launch in a prompt is a prompt', async () => {
  const {exit, stderr} = await termic.run(['send', 'nope', '-p', '--no-launch'])
  assert.is(exit, 1)
  assert.match(stderr, /no task named nope/)
})

test('what needs no daemon runs with --no-launch, and everything else where one runs', async () => {
  for (const argv of [['version'], ['help'], ['daemon', 'status'], ['quit', '--yes']])
    assert.is((await idle.run(['--no-launch', ...argv])).exit, 0, argv.join(' '))
  assert.not(existsSync(idle.dataDir))
  assert.is((await termic.run(['--no-launch', 'list'])).exit, 0)
  assert.is((await termic.run(['list', '--no-launch'])).exit, 0)
})

test('a daemon at another socket is used and never started', async () => {
  const socket = join(termic.dataDir, 'daemon.sock')
  const elsewhere = {TERMIC_DATA_DIR: termic.dataDir, TERMIC_SOCKET: socket}
  assert.is((await idle.run(['list'], {env: elsewhere})).exit, 0)
  const {exit, stderr} = await idle.run(['list'], {env: {TERMIC_SOCKET: join(idle.place, 'none.sock')}})
  assert.is(exit, 4)
  assert.match(stderr, /is not running at TERMIC_SOCKET \(.*none\.sock\), which is never started unasked/)
})

const tokenFile = join(termic.dataDir, 'cli-token')

/** Runs with another token file, and puts the right one back. */
async function withToken(spoil: () => void, work: () => Promise<void>): Promise<void> {
  const token = readFileSync(tokenFile)
  rmSync(tokenFile)
  spoil()
  try {
    await work()
  } finally {
    rmSync(tokenFile, {recursive: true, force: true})
    writeFileSync(tokenFile, token, {mode: 0o600})
  }
}

test('a wrong token is refused with 6 by every command but help and version', async () => {
  await withToken(
    () => writeFileSync(tokenFile, 'f'.repeat(64)),
    async () => {
      for (const command of commands) {
        const {exit, stdout, stderr} = await termic.run(callOf(command))
        const isOpen = ['help', 'version'].includes(command.name)
        assert.is(exit, isOpen ? 0 : 6, `${command.name}: ${stderr}`)
        if (isOpen) continue
        assert.is(stdout, '')
        assert.match(
          stderr,
          /^termic: the daemon refused this caller \(wrong or missing token\); check that .*cli-token/,
        )
      }
    },
  )
})

test('a token that cannot be read is refused with 6, in JSON too', async () => {
  await withToken(
    () => mkdirSync(tokenFile),
    async () => {
      const {exit, stdout} = await termic.run(['list', '--json'])
      assert.equal([exit, JSON.parse(stdout).error.code], [6, 'auth.refused'])
      assert.is((await termic.run(['daemon', 'stop'])).exit, 6)
      assert.is((await termic.run(['version'])).exit, 0)
    },
  )
})

test('a token that is missing or empty is refused once and put back', async () => {
  for (const spoil of [() => rmSync(tokenFile), () => writeFileSync(tokenFile, '')]) {
    spoil()
    assert.is((await termic.run(['list'])).exit, 6)
    assert.is((await termic.run(['list'])).exit, 0)
  }
})

test('while the CLI is switched off, everything but config, help, version, daemon and quit exits with 5', async () => {
  await termic.json(['config', 'set', 'cli.enabled', 'false'])
  const open = /^(config|help|version|daemon|quit)/
  for (const command of commands.filter(({name}) => !open.test(name))) {
    const {exit, stdout, stderr} = await termic.run(callOf(command))
    assert.equal([exit, stdout], [5, ''], `${command.name}: ${stderr}`)
    assert.is(
      stderr,
      'termic: the termic CLI is switched off in the settings; `termic config set cli.enabled true` switches it on\n',
    )
  }
  const {error} = JSON.parse((await termic.run(['new', '--json'])).stdout)
  assert.is(error.code, 'cli.disabled')
  for (const argv of [
    ['config', 'list'],
    ['config', 'get', 'agent'],
    ['config', 'set', 'agent', 'shell'],
    ['config', 'unset', 'agent'],
    ['help'],
    ['list', '--help'],
    ['version'],
    ['daemon', 'status'],
    ['daemon', 'restart'],
    ['daemon', 'stop'],
    ['daemon', 'start'],
    ['quit', '--yes'],
  ])
    assert.is((await termic.run(argv)).exit, 0, argv.join(' '))
  // Also a daemon that the call itself starts.
  assert.is((await termic.run(['list'])).exit, 5)
  assert.is((await termic.run(['config', 'set', 'cli.enabled', 'true'])).exit, 0)
  assert.is((await termic.run(['list'])).exit, 0)
})

test('that the CLI is switched off is told before a bad token', async () => {
  await termic.json(['config', 'set', 'cli.enabled', 'false'])
  const token = readFileSync(tokenFile)
  writeFileSync(tokenFile, 'wrong')
  assert.is((await termic.run(['list'])).exit, 5)
  assert.is((await termic.run(['config', 'list'])).exit, 6)
  writeFileSync(tokenFile, token)
  await termic.json(['config', 'set', 'cli.enabled', 'true'])
})

test.run()
