import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {findProgram} from '../../src/core/pane/host/program.ts'
import {JsonClient} from '../fixtures/json-client.ts'
import {pageExample} from '../fixtures/page-example.ts'
import {type Ran, run} from '../fixtures/running.ts'
import {type Json, PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

/** The examples of docs/protocol.md, as they stand there, against a real daemon. */
const page = 'docs/protocol.md'
const termic = new PrivateTermic()
let cwd: string

test.before(async () => {
  const {path} = await termic.repository()
  cwd = path
})
test.after(() => termic.close())

function has(program: string): boolean {
  const found = findProgram(program, {PATH: process.env.PATH ?? ''}, '/') !== null
  if (!found) console.log(`SKIPPED: ${program} is not installed, so its example is not run`)
  return found
}

const ifSocat = has('socat') ? test : test.skip
const ifPerl = has('perl') ? test : test.skip

ifSocat('the example in shell makes a task, waits for it and shows its diff', async () => {
  const {exit, stdout, stderr} = await termic.shell(pageExample(page, 'shell'), {cwd})
  assert.is(exit, 0, stderr)
  const [hello, added, made, waited, diff, ...more] = stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  assert.equal(more, [])
  for (const answer of [hello, added, made, waited, diff]) assert.is(answer.error, undefined)
  assert.equal(Object.keys(hello.result).sort(), ['cliEnabled', 'protocol', 'version'])
  assert.is(added.result.project.name, 'shop')
  assert.is(made.result.task.name, 'from-shell')
  assert.is(waited.result.outcomes[0].outcome, 'done')
  assert.equal(
    diff.result.files.map(({path}: Json) => path),
    ['hello.txt'],
  )
  assert.match(stderr, '"type":"step"')
})

test('the example in Node does the same over one connection', async () => {
  await termic.run(['project', 'add', '--name', 'shop'], {cwd})
  const file = join(termic.place, 'example.mjs')
  writeFileSync(file, pageExample(page, 'node'))
  const {exit, stdout, stderr} = await run(process.execPath, [file], {env: termic.env})
  assert.is(exit, 0, stderr)
  const {version, outcome, files, state} = JSON.parse(stdout)
  assert.is(version, (await termic.json(['version'])).version)
  assert.is(outcome, 'done')
  assert.is(state, 'done')
  assert.equal(
    files.map(({path}: Json) => path),
    ['hello.txt'],
  )
  assert.match(stderr, /^step making the worktree /m)
})

function perl(argv: string[], options: {stdin?: string} = {}): Promise<Ran> {
  const file = join(termic.place, 'client.pl')
  writeFileSync(file, pageExample(page, 'perl'))
  return run('perl', [file, ...argv], {...options, cwd, env: {...termic.env}})
}

/** The same argv through both clients. */
async function same(argv: string[]): Promise<Ran> {
  const [theirs, ours] = [await perl(argv), await termic.run(argv, {cwd})]
  assert.equal(
    {exit: theirs.exit, stdout: theirs.stdout, stderr: theirs.stderr},
    {exit: ours.exit, stdout: ours.stdout, stderr: ours.stderr},
    argv.join(' '),
  )
  return theirs
}

ifPerl('the client in perl prints and exits as termic does', async () => {
  await termic.run(['project', 'add', '--name', 'shop'], {cwd})
  await termic.run(['new', 'small', '-p', `printf 'a\\tb\\n'; exit 3`], {cwd})
  await termic.run(['wait', 'small'], {cwd})
  assert.match((await same(['list'])).stdout, /^PROJECT /)
  assert.match((await same(['path', 'small'])).stdout, /\/small\n$/)
  assert.is((await same(['send', 'small', '-p', 'x', '--wait'])).exit, 1)
  assert.is((await same(['status', 'nobody'])).exit, 1)
  assert.is((await same(['status', '--nonsense'])).exit, 2)
  assert.match((await same(['new', '--help'])).stdout, /^make a task/)
  assert.is((await same(['fly'])).exit, 2)
  assert.is((await same(['diff', 'small', '--json'])).exit, 0)
})

ifPerl(
  'the client in perl hands over a prompt of stdin byte-exact, and takes exit codes of outcomes',
  async () => {
    await termic.run(['project', 'add', '--name', 'shop'], {cwd})
    const made = await perl(['new', 'piped', '-p', '-', '--wait'], {
      stdin: "printf '%s' 'ü 🙂 \"' > out.txt\n",
    })
    assert.is(made.exit, 0, made.stderr)
    const [row] = termic.rows('SELECT text FROM deliveries ORDER BY seq DESC LIMIT 1')
    assert.is(row?.text, "printf '%s' 'ü 🙂 \"' > out.txt")
    const late = await perl(['send', 'piped', '-p', 'read x', '--wait', '--timeout', '1s'])
    assert.is(late.exit, 7)
  },
)

ifPerl('the client in perl is told that a question needs a terminal, and leaves help to termic', async () => {
  await termic.run(['project', 'add', '--name', 'shop'], {cwd})
  await termic.run(['new', 'asked'], {cwd})
  const {exit, stderr} = await perl(['archive', 'asked'])
  assert.is(exit, 1)
  assert.match(stderr, 'pass --yes')
  assert.match((await perl(['daemon', 'status'])).stdout, /^termic [\d.]+ runs as process/)
})

ifPerl('the client in perl sees the loss of its daemon', async () => {
  await termic.run(['project', 'add', '--name', 'shop'], {cwd})
  const {task} = await termic.json(['new', 'lost'], {cwd})
  const client = await JsonClient.connect(termic)
  const before = (await client.result('daemon.status')).calls
  const waiting = perl(['send', task.id, '-p', 'read x', '--wait'])
  await until('the call is under way', async () => (await client.result('daemon.status')).calls > before)
  process.kill((await termic.daemonPid()) as number, 'SIGKILL')
  assert.is((await waiting).exit, 8)
})

test.run()
