import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {run} from '../fixtures/running.ts'
import {type Json, PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

async function gateOf(termic: PrivateTermic): Promise<string> {
  const gate = join(termic.place, 'gate')
  await run('mkfifo', [gate])
  return gate
}

// vfarcic/dot-agent-deck#424, #548: bytes written during the boot are lost, and the pane looks healthy.
test('a prompt is not lost to a shell that throws its input away while it boots', async () => {
  await using termic = new PrivateTermic()
  const gate = await gateOf(termic)
  // Reads and drops whatever comes in, up to the moment at which it shows its first prompt.
  writeFileSync(join(termic.home, '.bashrc'), `cat ${gate}; while read -rs -n 1000 -t 0.3 _; do :; done\n`)
  const {path} = await termic.project()
  const made = termic.start(['new', 'one', '-p', 'echo once >> ran', '--wait', '--json'], {cwd: path})
  await until(
    'its prompt waits',
    () => termic.rows(`SELECT 1 FROM deliveries WHERE state = 'queued'`).length > 0,
  )
  writeFileSync(gate, '')
  const {exit, stdout} = await made.ended
  assert.is(exit, 0, stdout)
  assert.is(readFileSync(join(JSON.parse(stdout).task.path, 'ran'), 'utf8'), 'once\n')
})

// Yeachan-Heo/oh-my-claudecode#3394; smtg-ai/claude-squad#96, #115, #132: the time limit of the start is shorter than the
// agent's boot. Here no limit runs at all while it boots, so the gate may stay closed for as long as one likes.
test('an agent that takes its time to boot is starting, not failed, and gets its prompt when it is there', async () => {
  await using termic = new PrivateTermic()
  const gate = await gateOf(termic)
  writeFileSync(join(termic.home, '.bashrc'), `cat ${gate}\n`)
  const {path} = await termic.project()
  const {delivery} = await termic.json(['new', 'one', '-p', 'echo once >> ran'], {cwd: path})
  const {task} = await termic.json(['status', 'one'])
  assert.equal([task.state.name, task.queue[0].id, task.queue[0].state], ['starting', delivery.id, 'queued'])
  assert.is((await termic.run(['wait', 'one', '--timeout', '1s'])).exit, 7)
  writeFileSync(gate, '')
  assert.is((await termic.run(['wait', 'one'])).exit, 0)
  assert.is(readFileSync(join(task.path, 'ran'), 'utf8'), 'once\n')
})

// vfarcic/dot-agent-deck#370, #386: idle is shown while a build runs, since the foreground process group never changes.
// anthropics/claude-code#81630: a watchdog kills a quiet session.
test('an agent whose child works in a session of its own and says nothing is working', async () => {
  await using termic = new PrivateTermic()
  const gate = await gateOf(termic)
  const {path} = await termic.project()
  await termic.json(['new', 'one', '-p', `setsid -w cat ${gate} >/dev/null 2>&1; (exit 4)`], {cwd: path})
  await until('it runs', () => termic.processes().some(({command}) => command.startsWith(`cat ${gate}`)))
  for (const _ of [1, 2]) {
    const {task} = await termic.json(['status', 'one'])
    assert.equal(
      [task.state.name, task.state.confidence, task.state.evidence.source],
      ['working', 'exact', 'osc'],
    )
  }
  assert.is((await termic.run(['wait', 'one', '--timeout', '1s'])).exit, 7)
  writeFileSync(gate, '')
  const {outcomes} = await termic.json(['wait', 'one'])
  assert.is(outcomes[0].exitCode, 4)
})

// (class) hostile titles: OSC 0, 52, 8 or DCS of an agent reach the terminal or the logs of the user.
test('what an agent says to its terminal reaches nobody else’s, and no megabyte of title hurts', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.project()
  const hostile = [
    String.raw`printf '\033]0;'; head -c 1000000 /dev/zero | tr '\0' T; printf '\007'`,
    String.raw`printf '\033]52;c;cHduZWQ=\007\033]8;;file:///etc/passwd\033\\link\033]8;;\033\\ \033P$q"p\033\\ \033[6n\033[31mred\033[0m'`,
    String.raw`printf '\033]133;D;99\007\033]633;E;rm -rf /;\007\033]133;A\007\033]133;B\007'`,
    'echo done',
  ].join('; ')
  const {wait} = await termic.json(['new', 'one', '-p', hostile, '--wait'], {cwd: path})
  // Marks without the pane's secret are no marks: the exit code is the shell's own.
  assert.equal([wait.outcome, wait.exitCode], ['done', 0])
  for (const argv of [['log', 'one'], ['status', 'one'], ['list'], ['status', 'one', '--json']]) {
    const {stdout, exit} = await termic.run(argv)
    assert.is(exit, 0)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there is none is what is tested
    assert.not.match(stdout, /[\x00-\x08\x0b-\x1f\x7f-\x9f]/, argv.join(' '))
    if (argv[0] !== 'log') assert.ok(stdout.length < 10_000, `${argv.join(' ')}: ${stdout.length}`)
  }
  assert.match((await termic.run(['log', 'one'])).stdout, /link.*red[\s\S]*done/)
  assert.not.match(readFileSync(join(termic.dataDir, 'panes/1/journal.ndjson'), 'utf8'), /T{5000}/)
})

// stablyai/orca#16630: an unbounded fleet ends in an OOM kill of the desktop, and the log says nothing.
test('the number of live terminals has a limit, which names itself', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  await termic.json(['config', 'set', 'limits.livePanes', '2'])
  const made = await Promise.all(
    ['a', 'b', 'c', 'd'].map(name => termic.run(['new', name, '--json'], {cwd: repository.path})),
  )
  const refused = made.filter(({exit}) => exit !== 0)
  assert.is(refused.length, 2)
  for (const {stdout} of refused) {
    const {error} = JSON.parse(stdout)
    assert.is(error.code, 'pane.limit')
    assert.match(error.message, /2.*limits\.livePanes/)
  }
  assert.is((await repository.git('branch', '--format=%(refname:short)')).split('\n').length, 3)
  const [first] = (await termic.json(['list'])).tasks.map(({name}: Json) => name)
  await termic.json(['archive', first, '--yes'])
  await termic.json(['new', 'e'], {cwd: repository.path})
})

// Node cuts a socket path at 107 bytes and listens under another name.
test('an XDG_DATA_HOME of 120 characters is refused before anything listens anywhere', async () => {
  await using termic = new PrivateTermic()
  const long = join(termic.place, 'x'.repeat(120))
  const env = {TERMIC_DATA_DIR: undefined as unknown as string, XDG_DATA_HOME: long}
  const {exit, stderr} = await termic.run(['list'], {env})
  assert.is(exit, 4)
  assert.match(stderr, /^termic: the socket path .* is \d+ bytes long and the limit is 103; .*\n$/)
  assert.not(existsSync(long))
})

test.run()
