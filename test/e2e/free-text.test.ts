import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {installedShells} from '../fixtures/installed-shells.ts'
import {PrivateTermic} from '../fixtures/termic.ts'
import {until} from '../fixtures/until.ts'

const termic = new PrivateTermic()
let task: {name: string; path: string}
test.before(async () => {
  const {path} = await termic.project()
  task = (await termic.json(['new', 'one'], {cwd: path})).task
})
test.after(() => termic.close())

/** The text of a delivery as it is stored. */
function stored(id: string): string | undefined {
  return termic.rows('SELECT text FROM deliveries WHERE id = ?', id)[0]?.text
}

function prompts(): number {
  return termic.rows('SELECT count(*) AS count FROM deliveries')[0]?.count
}

function written(file: string): string {
  return readFileSync(join(task.path, file), 'utf8')
}

for (const text of [
  '-p is broken',
  '-please fix',
  '--help',
  '-h',
  '--json',
  '--wait',
  '--output-format',
  '--output-format=yaml',
  '--no-launch',
  '--',
  '--prompt',
  ' : spaces around ',
  ': $(touch never) `touch never` "$HOME" \\n %s',
  ':\ttab',
  ': 日本語 👩‍👩‍👧 e\u0301 é ﷽ \u202e',
]) {
  test(`${JSON.stringify(text)} arrives as it is, in three spellings`, async () => {
    for (const argv of [['-p', text], ['--prompt', text], [`--prompt=${text}`]]) {
      const {delivery} = await termic.json(['send', 'one', ...argv])
      assert.is(stored(delivery.id), text)
    }
  })
}

for (const {name: shell, path: shellPath} of installedShells) {
  test(`${shell} runs every character of a prompt of many lines, once`, async () => {
    const content =
      'first line\n\n  indented\twith tab\r\n"double" $HOME `x` {y} %s !! é 日本語 👩‍👩‍👧\n trailing  \n#'
    const env = {SHELL: shellPath}
    const {path} = (await termic.json(['new', shell, '--project', 'shop'], {env})).task
    const {wait} = await termic.json(['send', shell, '--wait', '-p', `printf %s '${content}' >> out`])
    assert.equal([wait.outcome, wait.exitCode], ['done', 0])
    assert.is(readFileSync(join(path, 'out'), 'utf8'), content)
  })
}

// agent-deck#876: three tasks made fast, prompts of 2 to 7 KB silently dropped.
test('prompts of 2 to 7 KB in quick succession all run, in their order', async () => {
  const sizes = [2000, 4500, 7000]
  for (const size of sizes) {
    const text = `echo ${size} >> order; printf %s '${'x'.repeat(size)}' > size-${size}`
    assert.is((await termic.run(['send', 'one', '-p', text])).exit, 0)
  }
  assert.is((await termic.run(['wait', 'one'])).exit, 0)
  assert.is(written('order'), '2000\n4500\n7000\n')
  for (const size of sizes) assert.is(written(`size-${size}`).length, size)
})

test('the first prompts of three tasks that are made at the same time all run', async () => {
  const made = await Promise.all(
    [2000, 4500, 7000].map(async size => {
      const text = `printf %s '${'y'.repeat(size)}' > out`
      const {task, wait} = await termic.json([
        'new',
        `many-${size}`,
        '--project',
        'shop',
        '-p',
        text,
        '--wait',
      ])
      assert.is(wait.exitCode, 0)
      return readFileSync(join(task.path, 'out'), 'utf8').length
    }),
  )
  assert.equal(made, [2000, 4500, 7000])
})

test('a prompt of 100 KB as an argument and one of 1 MB on stdin run whole', async () => {
  const argument = 'a'.repeat(100_000)
  await termic.json(['send', 'one', '--wait', '-p', `printf %s '${argument}' > argument`])
  assert.is(written('argument'), argument)
  const input = `é${'b'.repeat(1_000_000)}ü`
  const {delivery} = await termic.json(['send', 'one', '--wait', '-p', '-'], {
    stdin: `printf %s '${input}' > input`,
  })
  assert.is(written('input'), input)
  assert.is(stored(delivery.id), `printf %s '${input}' > input`)
})

for (const [stdin, text] of [
  [': x\n', ': x'],
  [': x\r\n', ': x'],
  [': x\n\n', ': x\n'],
  [': x', ': x'],
  [' : x \n', ' : x '],
  [': a\r\n: b\r\n', ': a\r\n: b'],
  ['\ufeff: x', '\ufeff: x'],
] as const) {
  test(`stdin ${JSON.stringify(stdin)} loses at most its final line end`, async () => {
    const {delivery} = await termic.json(['send', 'one', '-p', '-'], {stdin})
    assert.is(stored(delivery.id), text)
  })
}

test('stdin is read to its end, however slow, before anything is made', async () => {
  const call = termic.start(['new', 'slow', '--project', 'shop', '-p', '-', '--wait'], {stdin: 'open'})
  const under = async () => (await termic.json(['daemon', 'status'])).calls
  await until('the call is under way', async () => (await under()) >= 1)
  const before = prompts()
  for (const piece of ['echo', ' slow', ' > out']) {
    call.write(piece)
    const {tasks} = await termic.json(['list'])
    assert.not(tasks.some(({name}: {name: string}) => name === 'slow'))
  }
  assert.is(prompts(), before)
  call.end()
  const {exit, stderr} = await call.ended
  assert.is(exit, 0, stderr)
  const {stdout} = await termic.shell('cat "$(termic path slow)/out"')
  assert.is(stdout, 'slow\n')
})

// oclif gives stdin up after 10 ms and sends the text "-".
test('a pipe that says nothing for a second is waited for', async () => {
  const {exit, stdout} = await termic.shell(
    `(sleep 1; echo 'echo late > late') | termic send one -p - --wait --json`,
  )
  assert.is(exit, 0)
  assert.is(stored(JSON.parse(stdout).delivery.id), 'echo late > late')
  assert.is(written('late'), 'late\n')
})

for (const [what, argv, stdin, code] of [
  ['an empty prompt', ['-p', ''], '', 'input.empty-prompt'],
  ['a prompt of white space', ['-p', ' \n\t'], '', 'input.empty-prompt'],
  ['an empty stdin', ['-p', '-'], '', 'input.empty-prompt'],
  ['a NUL byte', ['-p', '-'], 'echo a\0b', 'input.nul'],
  ['bytes that are no UTF-8', ['-p', '-'], Buffer.from([0x65, 0xff, 0x0a]), 'input.not-text'],
  ['8 MB', ['-p', '-'], Buffer.alloc(8_000_000, 'x'), 'input.too-large'],
  ['more than 8 MiB', ['-p', '-'], Buffer.alloc(9_000_000, 'x'), 'input.too-large'],
] as const) {
  test(`${what} is refused before anything is made`, async () => {
    const before = prompts()
    for (const verb of [
      ['send', 'one'],
      ['new', 'refused', '--project', 'shop'],
    ]) {
      const {exit, stdout, stderr} = await termic.run([...verb, ...argv], {stdin})
      assert.is(exit, 1)
      assert.is(stdout, '')
      assert.match(stderr, /^termic: [^\n]+\n$/)
      const json = await termic.run([...verb, ...argv, '--json'], {stdin})
      assert.is(JSON.parse(json.stdout).error.code, code)
    }
    assert.is(prompts(), before)
    assert.is((await termic.run(['status', 'refused'])).exit, 1)
  })
}

test('a stdin that is closed or a directory is an empty prompt', async () => {
  for (const redirection of ['<&-', `< ${termic.place}`]) {
    const {exit, stderr} = await termic.shell(`termic send one -p - ${redirection}`)
    assert.is(exit, 1)
    assert.match(stderr, /^termic: the prompt is empty/)
  }
})

test('after -- a name may begin with a dash, and a prompt is none', async () => {
  const {exit, stderr} = await termic.run(['new', '--project', 'shop', '--', '-x'])
  assert.is(exit, 1)
  assert.match(stderr, /"-x" cannot name a task/)
  assert.is((await termic.run(['send', '-p', ': x', '--', 'one'])).exit, 0)
  const {exit: other, stderr: reason} = await termic.run(['send', '--', 'one', '-p', 'x'])
  assert.is(other, 2)
  assert.match(reason, /unexpected arguments: -p, x/)
})

test('the value of another flag may look like a flag where it is joined', async () => {
  for (const value of ['--json', '-x', '--help']) {
    const {exit, stderr} = await termic.run(['new', 'odd', '--project', 'shop', `--base=${value}`])
    assert.is(exit, 1)
    assert.ok(stderr.startsWith(`termic: "${value}" names no commit`), stderr)
  }
  const {exit, stdout} = await termic.run(['send', 'one', '-p', ': x', '--delivery-id=--json'])
  assert.is(exit, 0)
  assert.is(stored('--json'), ': x')
  assert.not.match(stdout, /^\{/)
})

test.run()
