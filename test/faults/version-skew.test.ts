import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {daemonsOf, hostsOf} from '../fixtures/daemon-process.ts'
import {buildVersion, copyProgram} from '../fixtures/other-build.ts'
import {run, start} from '../fixtures/running.ts'
import {checkout, PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

const {version} = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {version: string}
const newer = '7.0.0'
let newerLauncher: string

test.before(async () => {
  newerLauncher = await buildVersion(newer)
})

function daemonStarts(termic: PrivateTermic): number {
  return readFileSync(join(termic.dataDir, 'daemon.log'), 'utf8').match(/ listens /g)?.length ?? 0
}

// agent-browser#1127; Wirasm/kild#608; AgentSystemLabs/nebula#68; PrimeIntellect prime-agent#206, #218: an upgraded client
// talks to the old daemon. anthropics/claude-code#75454: an upgrade kills the sessions.
test('clients newer than the daemon replace it once; panes and what runs in them do not notice', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.project()
  const gate = join(termic.place, 'gate')
  await run('mkfifo', [gate])
  const {task} = await termic.json(['new', 'one', '-p', `echo $$ > shell; cat ${gate}; echo end > end`], {
    cwd: path,
  })
  await until('it runs', () => termic.rows(`SELECT 1 FROM deliveries WHERE state = 'started'`).length > 0)
  const [before] = daemonsOf(termic)
  const hosts = hostsOf(termic)

  const refused = await run(newerLauncher, ['--no-launch', 'list'], {cwd: path, env: termic.env})
  assert.is(refused.exit, 1)
  assert.is(refused.stdout, '')
  assert.is(
    refused.stderr,
    `termic: the running daemon is ${version} and this termic is ${newer}; run it again without --no-launch to replace the daemon\n`,
  )
  const asJson = await run(newerLauncher, ['--no-launch', 'list', '--json'], {cwd: path, env: termic.env})
  assert.is(JSON.parse(asJson.stdout).error.code, 'version.daemon-older')
  assert.equal(daemonsOf(termic), [before])

  const newerRun = (...argv: string[]) => run(newerLauncher, argv, {cwd: path, env: termic.env})
  const answers = await Promise.all([
    newerRun('list', '--json'),
    newerRun('status', 'one', '--json'),
    newerRun('whoami'),
  ])
  for (const {exit, stdout, stderr} of answers) assert.is(exit, 0, stdout + stderr)
  assert.is(JSON.parse(answers[0].stdout).tasks[0].state.name, 'working')
  assert.is(daemonStarts(termic), 2, 'one daemon of each version')
  assert.is.not(daemonsOf(termic)[0], before)
  assert.equal(hostsOf(termic), hosts)

  writeFileSync(gate, '')
  assert.is((await newerRun('wait', 'one')).exit, 0)
  const shell = readFileSync(join(task.path, 'shell'), 'utf8')
  const again = await newerRun('send', 'one', '--wait', '-p', 'echo $$ > shell2')
  assert.is(again.exit, 0, again.stderr)
  assert.is(readFileSync(join(task.path, 'shell2'), 'utf8'), shell)
  assert.is(readFileSync(join(task.path, 'end'), 'utf8'), 'end\n')
  assert.is((await newerRun('quit', '--yes')).exit, 0)
})

test('a client older than the daemon says so, and leaves it alone', async () => {
  await using termic = new PrivateTermic()
  const newerRun = (...argv: string[]) => run(newerLauncher, argv, {cwd: termic.home, env: termic.env})
  assert.is((await newerRun('list')).exit, 0)
  const [daemon] = daemonsOf(termic)
  for (const argv of [['list'], ['new', 'x'], ['--no-launch', 'list']]) {
    const {exit, stdout, stderr} = await termic.run(argv)
    assert.is(exit, 1)
    assert.is(stdout, '')
    assert.is(
      stderr,
      `termic: this termic is ${version} and the running daemon is ${newer}; update this one, or run \`termic daemon restart\` to go back\n`,
    )
  }
  assert.is(JSON.parse((await termic.run(['list', '--json'])).stdout).error.code, 'version.client-older')
  assert.equal(daemonsOf(termic), [daemon])
  // What it names does help.
  assert.is((await termic.run(['daemon', 'restart'])).exit, 0)
  await termic.json(['list'])
  assert.is((await termic.json(['daemon', 'status'])).version, version)
})

test('a wait of an older client is not left hanging by the new daemon', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.project()
  const gate = join(termic.place, 'gate')
  await run('mkfifo', [gate])
  await termic.json(['new', 'one', '-p', `cat ${gate}`], {cwd: path})
  const waiting = termic.start(['wait', 'one'])
  await until('it is watched', async () => (await termic.json(['daemon', 'status'])).calls > 0)
  assert.is((await run(newerLauncher, ['list'], {cwd: path, env: termic.env})).exit, 0)
  const {exit, stderr} = await waiting.ended
  assert.is(exit, 1)
  assert.match(stderr, /^termic: this termic is .* and the running daemon is 7\.0\.0; /)
  writeFileSync(gate, '')
  assert.is((await run(newerLauncher, ['quit', '--yes'], {cwd: path, env: termic.env})).exit, 0)
})

// anthropics/claude-code#72993: a detached spawn fails silently, and the client says "Opening…" for ever.
test('a daemon that cannot even load says why in the sentence of every client that tries', async () => {
  await using termic = new PrivateTermic()
  const root = copyProgram()
  const chunks = join(root, 'dist/chunks')
  for (const name of readdirSync(chunks)) if (name.startsWith('run-daemon')) rmSync(join(chunks, name))
  const broken = (...argv: string[]) =>
    run(join(root, 'bin/termic'), argv, {cwd: termic.home, env: termic.env})
  for (const argv of [['list'], ['new', 'x', '--json']]) {
    const {exit, stdout, stderr} = await broken(...argv)
    assert.is(exit, 4, stdout + stderr)
    assert.match(stdout + stderr, /the termic daemon would not start: .*Cannot find module .*run-daemon/)
  }
  // Once it is whole again, what an earlier attempt said is not said again.
  await termic.json(['list'])
})

test('a daemon that dies at its start without a word of its own has its last line told', async () => {
  await using termic = new PrivateTermic()
  const root = copyProgram()
  writeFileSync(join(root, 'dist/daemon.js'), 'this is no program')
  const launcher = join(root, 'bin/termic')
  const {exit, stderr} = await run(launcher, ['list'], {cwd: termic.home, env: termic.env})
  assert.is(exit, 4)
  assert.match(stderr, /^termic: the termic daemon would not start: SyntaxError: .*\n$/)
  writeFileSync(join(root, 'dist/daemon.js'), 'process.exit(3)')
  const silent = await run(launcher, ['list'], {cwd: termic.home, env: termic.env})
  assert.is(silent.exit, 4)
  assert.match(silent.stderr, /^termic: the termic daemon would not start: it ended without a word\n$/)
  assert.is(dirname(dirname(launcher)), root)
})

test('a pane host that cannot load is the reason of the new that failed, and nothing of it is kept', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.project()
  await termic.json(['daemon', 'stop'])
  const root = copyProgram()
  writeFileSync(join(root, 'dist/host.js'), `import 'node:no-such-module'`)
  const broken = start(join(root, 'bin/termic'), ['new', 'one'], {cwd: path, env: termic.env})
  const {exit, stderr} = await broken.ended
  assert.is(exit, 1)
  assert.match(stderr, /^termic: .*could not be started: its host ended at once \(.*no-such-module.*\).*\n$/)
  assert.equal((await termic.json(['list'])).tasks, [])
  await termic.json(['daemon', 'restart'])
  await termic.json(['new', 'one'], {cwd: path})
})

test.run()
