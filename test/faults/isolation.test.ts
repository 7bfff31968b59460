import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {commandOf, daemonsOf, hostsOf} from '../fixtures/daemon-process.ts'
import {run, start} from '../fixtures/running.ts'
import {type Json, launcher, PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

/** What a program in a pane finds: its descriptors and its environment. */
async function seenIn(termic: PrivateTermic, task: string): Promise<{descriptors: string[]; env: string[]}> {
  const path = join(termic.place, `seen-${task}`)
  mkdirSync(path, {recursive: true})
  // The shell's own are looked at from outside of it, so that nothing of the look is among them.
  const prompt = `echo $$ > ${path}/pid; tr '\\0' '\\n' < /proc/$$/environ > ${path}/env; cat`
  await termic.json(['send', task, '-p', prompt])
  const [shell, child] = await until('its shell and its child are there', () => {
    if (!existsSync(join(path, 'env'))) return undefined
    const pid = Number(readFileSync(join(path, 'pid'), 'utf8'))
    const kids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(kid => kid !== '')
    // Not `tr` before it, and no longer the shell's own fork.
    const cat = kids.find(kid => commandOf(Number(kid)) === 'cat')
    return cat === undefined ? undefined : [pid, Number(cat)]
  })
  const descriptors = [shell, child].flatMap(pid =>
    readdirSync(`/proc/${pid}/fd`).map(fd => readlinkSync(`/proc/${pid}/fd/${fd}`)),
  )
  return {descriptors, env: readFileSync(join(path, 'env'), 'utf8').trim().split('\n')}
}

function environOf(pid: number): string[] {
  return readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .filter(word => word !== '')
}

function tokenOf(termic: PrivateTermic): string {
  return readFileSync(join(termic.dataDir, 'cli-token'), 'utf8').trim()
}

const secrets = {
  TERMIC_MCP_TOKEN: 'secret-mcp',
  TERMIC_TASK: 'foreign-task',
  TERMIC_ANYTHING: 'foreign-value',
  NODE_OPTIONS: '',
}

test('a program in a pane has its terminal and no other descriptor, whatever the daemon was started with', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.repository()
  const precious = join(termic.place, 'precious')
  writeFileSync(precious, '')
  const files = [3, 9, 42, 200].map(() => openSync(precious, 'r'))
  // A shell that holds a lock, a log and a pipe, as a script does that calls termic.
  const script = `exec 3<${precious} 9<${precious} 42>>${precious} 200<${precious}; exec "$0" new one --yes`
  const made = await run('bash', ['-c', script, launcher], {cwd: path, env: termic.env})
  assert.is(made.exit, 0, made.stderr)
  for (const file of files) closeSync(file)
  const {descriptors} = await seenIn(termic, 'one')
  for (const target of descriptors) assert.match(target, /^\/dev\/(pts\/\d+|tty)$/)
  for (const pid of [...daemonsOf(termic), ...hostsOf(termic)]) {
    const open = readdirSync(`/proc/${pid}/fd`).map(fd => readlinkSync(`/proc/${pid}/fd/${fd}`))
    assert.not(open.includes(precious), `${pid} holds ${open.join(' ')}`)
  }
})

test('neither does one whose daemon was started from inside another pane; and no TERMIC_* of that pane is handed on', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.project()
  const {task: outer} = await termic.json(['new', 'outer'], {cwd: path})
  const token = tokenOf(termic)
  // The pane's own shell starts the next daemon, and then a task.
  await termic.json(['daemon', 'stop'])
  const gate = join(termic.place, 'gate')
  await run('mkfifo', [gate])
  const exported = Object.entries(secrets).map(([name, value]) => `export ${name}='${value}'`)
  const line = `${exported.join('; ')}; exec 77<${path}/README.md; termic new inner > ${termic.place}/made 2>&1`
  await termic.json(['send', 'outer', '-p', line, '--wait'])
  await termic.json(['daemon', 'stop'])
  await termic.json([
    'send',
    'outer',
    '-p',
    `(cat ${gate}; termic new innermost > ${termic.place}/made2 2>&1) &`,
    '--wait',
  ])
  await termic.json(['daemon', 'stop'])
  writeFileSync(gate, '')
  await until(
    'the pane has started a daemon and a task',
    () => existsSync(join(termic.place, 'made2')) && daemonsOf(termic).length === 1,
  )
  await until('it is there', async () => (await termic.json(['list'])).tasks.length === 3)
  const {tasks} = await termic.json(['list'])
  const idOf = (name: string) => tasks.find((task: Json) => task.name === name).id

  for (const name of ['inner', 'innermost']) {
    const {descriptors, env} = await seenIn(termic, name)
    for (const target of descriptors) assert.match(target, /^\/dev\/(pts\/\d+|tty)$/)
    const own = env.filter(word => word.startsWith('TERMIC_')).sort()
    assert.equal(
      own.map(word => word.split('=')[0]),
      [
        'TERMIC_CLI',
        'TERMIC_CLI_HELP',
        'TERMIC_DATA_DIR',
        'TERMIC_NODE',
        'TERMIC_PANE',
        'TERMIC_SOCKET',
        'TERMIC_TASK',
        'TERMIC_TASK_ID',
      ],
    )
    assert.ok(own.includes(`TERMIC_TASK_ID=${idOf(name)}`))
    assert.ok(own.includes(`TERMIC_TASK=${name}`))
  }
  const foreign = [token, tokenOf(termic), outer.id, 'secret-mcp', 'foreign-task', 'foreign-value']
  for (const pid of [...daemonsOf(termic), ...hostsOf(termic)]) {
    const words = environOf(pid)
    for (const word of words)
      assert.not(
        foreign.some(value => word.includes(value)),
        `${pid}: ${word}`,
      )
    const names = words.map(word => word.split('=')[0]).filter(name => name?.startsWith('TERMIC_'))
    assert.ok(names.length === 0 || (names.length === 1 && names[0] === 'TERMIC_DATA_DIR'), names.join(' '))
  }
})

test('the state file holds no token, and of a caller nothing that is termic’s own', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.project()
  const env = {...secrets, GIT_DIR: '/elsewhere', MINE: 'kept'}
  await termic.json(['new', 'one'], {cwd: path, env: {...env, GIT_DIR: undefined as unknown as string}})
  const [row] = termic.rows('SELECT env FROM tasks')
  const kept = JSON.parse(row?.env)
  assert.is(kept.MINE, 'kept')
  assert.equal(
    Object.keys(kept).filter(name => name.startsWith('TERMIC_')),
    [],
  )
  const files = ['state.db', 'state.db-wal'].map(name => readFileSync(join(termic.dataDir, name), 'latin1'))
  for (const value of [tokenOf(termic), 'secret-mcp', 'foreign-value'])
    for (const content of files) assert.not(content.includes(value))
  assert.not(readFileSync(join(termic.dataDir, 'daemon.log'), 'utf8').includes(tokenOf(termic)))
})

// kunchenguid/no-mistakes#143; FerroxLabs/wayland#628; its-ahoh/codey#286; fastclaw-ai/weclaw#12; simion/termic#181, #243: the
// agent is not found, since the daemon's PATH is bare.
test('a daemon that was started from a bare environment finds what the caller’s PATH has', async () => {
  await using termic = new PrivateTermic()
  const {path} = await termic.repository()
  const tools = join(termic.place, 'tools')
  mkdirSync(tools)
  writeFileSync(join(tools, 'my-agent'), '#!/bin/sh\necho "agent says $MINE"\nexec cat\n', {mode: 0o755})
  const node = `${process.execPath.replace(/\/node$/, '')}`
  const bare = await start('env', [
    '-i',
    `PATH=${node}:/usr/bin:/bin`,
    `HOME=${termic.home}`,
    `TERMIC_DATA_DIR=${termic.dataDir}`,
    launcher,
    'daemon',
    'start',
  ]).ended
  assert.is(bare.exit, 0, bare.stderr)
  const env = {PATH: `${tools}:${termic.env.PATH}`, MINE: 'kept'}
  assert.is((await termic.run(['config', 'set', 'agents.mine.command', 'my-agent'])).exit, 0)
  const made = await termic.run(['new', 'one', '--yes', '--agent', 'mine'], {cwd: path, env})
  assert.is(made.exit, 0, made.stderr)
  await until('it speaks', async () => (await termic.run(['log', 'one'])).stdout.includes('agent says kept'))

  await termic.json(['new', 'two', '-p', 'echo "$PATH" > path', '--wait'], {cwd: path, env})
  const {task} = await termic.json(['status', 'two'])
  assert.is(readFileSync(join(task.path, 'path'), 'utf8'), `${env.PATH}\n`)
  const refused = await termic.run(['new', 'three', '--agent', 'mine'], {cwd: path})
  assert.is(refused.exit, 1)
  assert.match(refused.stderr, /^termic: the program \S+ was not found in PATH; .*\n$/)
})

test.run()
