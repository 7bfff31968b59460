import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import type {Repository} from '../fixtures/repository.ts'
import {repositoryAt} from '../fixtures/repository.ts'
import {PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

const termic = new PrivateTermic()
/** So many lines are more than any pipe holds. */
const lines = 60_000
const numbers = Array.from({length: lines}, (_, at) => `${at + 1}\n`).join('')
let shop: Repository
let worktree: Repository
test.before(async () => {
  shop = await termic.project()
  const {task} = await termic.json(['new', 'one', '--wait', '-p', `seq ${lines}`], {cwd: shop.path})
  worktree = repositoryAt(task.path, termic.env)
})
test.after(() => termic.close())

// Node: an exit loses what is not written yet where stdout is asynchronous.
test('output larger than a pipe comes whole to a reader that is slow', async () => {
  const reader = `while IFS= read -r line; do printf '%s\\n' "$line"; done`
  const {exit, stdout} = await termic.shell(`termic log one -n ${lines + 2} | (${reader})`)
  assert.is(exit, 0)
  assert.ok(stdout.includes(`seq ${lines}\n${numbers}`))
})

test('one object of JSON larger than a pipe comes whole', async () => {
  const {stdout} = await termic.shell(`termic log one -n ${lines + 2} --json | cat`)
  assert.ok(JSON.parse(stdout).text.includes(numbers))
  assert.is(stdout.indexOf('\n'), stdout.length - 1)
})

/** Runs a command whose reader has gone before it begins; answers what stderr has, the exit code last. */
async function withoutReader(command: string): Promise<string> {
  const line = `rm -f gate; mkfifo gate; { read -r _ <gate; ${command}; echo "exit $?" >&2; } | { exec <&-; echo go >gate; }`
  return (await termic.shell(line, {cwd: termic.place})).stderr
}

for (const command of [
  'termic list',
  'termic list --json',
  'termic help --json',
  `TERMIC_DATA_DIR=${termic.place}/none termic help`,
  `termic log one -n ${lines}`,
  'termic log one --follow',
  'termic status nope --json',
  'termic daemon status',
  'termic events --after 0',
]) {
  test(`${command.replace(termic.place, '')} without a reader ends with 141 and no word`, async () => {
    assert.is(await withoutReader(command), 'exit 141\n')
  })
}

test('a log that is followed ends with 141 at the first word after its reader has gone', async () => {
  const line =
    '{ termic log one -f; echo "exit $?" >&2; } | { head -n 1 >/dev/null; exec <&-; echo gone >&2; }'
  const pipeline = termic.startShell(line)
  await until('the reader has gone', () => pipeline.stderr === 'gone\n')
  await termic.json(['send', 'one', '-p', 'echo more'])
  assert.is((await pipeline.ended).stderr, 'gone\nexit 141\n')
})

test('answers are on stdout alone and failures on stderr alone', async () => {
  const fine = await termic.run(['list'])
  assert.is(fine.stderr, '')
  const failed = await termic.run(['status', 'nope'])
  assert.is(failed.stdout, '')
  assert.is(failed.stderr, 'termic: no task named nope; `termic list` shows them\n')
})

test('notes go to stderr and leave the answer alone', async () => {
  await termic.json(['new', 'typed', '--agent', 'cat -u', '--project', 'shop'])
  const {exit, stdout, stderr} = await termic.run(['send', 'typed', '-p', 'hello'])
  assert.is(exit, 0)
  assert.match(stdout, /^[^\n]+\n$/)
  assert.match(stderr, /^termic: agent cat -u gives no sign of being ready[^\n]*\n$/)
  const {stdout: json, stderr: quiet} = await termic.run(['send', 'typed', '-p', 'hello', '--json'])
  assert.is(quiet, '')
  assert.is(JSON.parse(json).capable, false)
})

test('a patch is printed to the byte, and applies', async () => {
  worktree.write('no newline at the end', 'é\r\nlast')
  worktree.write('README.md', 'hello\n\n\n')
  const {bytes} = await termic.run(['diff', 'one', '--full'])
  assert.is(
    JSON.parse((await termic.run(['diff', 'one', '--full', '--json'])).stdout).patch,
    bytes.toString(),
  )
  const clone = await termic.repository({path: 'clone'})
  const patch = join(termic.place, 'patch')
  writeFileSync(patch, bytes)
  await clone.git('apply', '--whitespace=nowarn', patch)
  for (const file of ['no newline at the end', 'README.md'])
    assert.ok(readFileSync(join(clone.path, file)).equals(readFileSync(join(worktree.path, file))), file)
})

test('pages of a patch and of a raw log fit together', async () => {
  const whole = await termic.run(['diff', 'one', '--full'])
  const pages: string[] = []
  for (let offset = 0, eof = false; !eof; ) {
    const argv = ['diff', 'one', '--full', '--offset', `${offset}`, '--limit', '60']
    const page = await termic.json(argv)
    const {stdout} = await termic.run(argv)
    assert.is(stdout, page.patch)
    pages.push(stdout)
    offset = page.nextOffset
    eof = page.eof
  }
  assert.is(pages.join(''), whole.stdout)
  assert.ok(pages.length > 3)

  const raw = (...argv: string[]) => termic.run(['log', 'one', '--raw', ...argv])
  const [first, second, both] = await Promise.all([
    raw('--offset', '0', '--limit', '1000'),
    raw('--offset', '1000', '--limit', '500'),
    raw('--offset', '0', '--limit', '1500'),
  ])
  assert.is(first.stdout + second.stdout, both.stdout)
})

test('a followed raw log waits for the rest of a character', async () => {
  await termic.json(['new', 'split', '--project', 'shop'])
  const log = termic.start(['log', 'split', '--follow', '--raw'])
  const prompt = `mkfifo gate; printf '<\\303'; cat gate; printf '\\251>\\n'; exit`
  await termic.json(['send', 'split', '-p', prompt])
  await log.says(/<$/)
  await termic.shell(': >"$(termic path split)/gate"')
  const {exit, stdout} = await log.ended
  assert.is(exit, 0)
  assert.match(stdout, /<é>\r\n/)
  assert.not.match(stdout, /\ufffd/)
})

test.run()
