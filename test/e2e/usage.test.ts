import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {type Json, PrivateTermic} from '../fixtures/termic.ts'

const termic = new PrivateTermic()
let commands: Json[] = []
test.before(async () => {
  await termic.json(['daemon', 'start'])
  commands = (await termic.json(['help'])).commands
})
test.after(() => termic.close())

/** Wrong in text: exit 2, one sentence on stderr and nothing on stdout. */
async function isWrong(argv: readonly string[]): Promise<string> {
  const {exit, stdout, stderr} = await termic.run(argv)
  assert.is(exit, 2, `${argv.join(' ')}: ${stdout}${stderr}`)
  assert.is(stdout, '', argv.join(' '))
  assert.match(stderr, /^termic: [^\n]+\n$/, argv.join(' '))
  return stderr.slice('termic: '.length, -1)
}

/** The same in JSON: one object on stdout and nothing on stderr. */
async function isWrongInJson(argv: readonly string[], message: string): Promise<void> {
  const {exit, stdout, stderr} = await termic.run([...argv, '--json'])
  assert.equal([exit, stderr], [2, ''], argv.join(' '))
  const {error} = JSON.parse(stdout)
  assert.equal([error.code, error.message], ['usage.invalid', message])
}

/** The words of a command and something for each argument that it requires. */
function callOf({name, args}: Json): string[] {
  return [...name.split(' '), ...args.filter(({required}: Json) => required).map(() => 'x')]
}

test('a flag that no command has is wrong for every command', async () => {
  for (const command of commands) {
    const message = await isWrong([...callOf(command), '--no-such-flag'])
    assert.is(message, `nonexistent flag: --no-such-flag; \`termic ${command.name} --help\` shows its usage`)
  }
})

test('one argument too many is wrong for every command that does not take many', async () => {
  const many = ['wait', 'help']
  for (const command of commands.filter(({name}) => !many.includes(name))) {
    const argv = [...command.name.split(' '), ...command.args.map(() => 'x'), 'extra']
    const message = await isWrong(argv)
    assert.match(message, /^unexpected argument: extra; /)
    await isWrongInJson(argv, message)
  }
})

test('an argument that is missing is wrong for every command that requires one', async () => {
  const demanding = commands.filter(({args}) => args.some(({required}: Json) => required))
  assert.ok(demanding.length >= 5)
  for (const {name, args} of demanding) {
    const [first] = args.filter(({required}: Json) => required)
    const message = await isWrong(name.split(' '))
    assert.is(message, `${first.name.toUpperCase()} is missing; \`termic ${name} --help\` shows its usage`)
  }
})

const badValues: Record<string, string> = {N: 'many', SEQ: 'x', DURATION: 'soon'}
test('a value that does not fit is wrong for every flag that takes no free text', async () => {
  let tried = 0
  for (const command of commands) {
    for (const {flag, value} of command.flags) {
      const bad = value?.includes('|') ? 'neither' : badValues[value ?? '']
      if (bad === undefined) continue
      tried++
      assert.match(await isWrong([...callOf(command), flag, bad]), new RegExp(`"?${bad}"?.*; \`termic `))
    }
  }
  assert.ok(tried >= 10, `${tried}`)
})

test('a flag without its value is wrong for every flag that takes one', async () => {
  for (const command of commands) {
    for (const {flag} of command.flags.filter(({value}: Json) => value !== null))
      assert.match(await isWrong([...callOf(command), flag]), new RegExp(`${flag} (expects|needs)`))
  }
})

for (const [argv, pattern] of [
  [['nope'], /^there is no verb "nope"; `termic help` lists the verbs$/],
  [['lsit'], /^there is no verb "lsit" \(did you mean list\?\)/],
  [['project'], /^there is no verb "project" \(project has add, list, remove\)/],
  [['project', 'ad'], /^there is no verb "project ad" \(project has add, list, remove\)/],
  [['--nope', 'list'], /^there is no verb "--nope"/],
  [['--output-format', 'yaml', 'list'], /^--output-format takes text, json, stream-json, not "yaml"; /],
  [['list', '--output-format'], /^--output-format takes text, json, stream-json, and nothing was given; /],
  [['list', '--json', '--output-format', 'text'], /^--json and --output-format exclude each other; /],
  [['new', 'x', '--wait'], /^--wait needs --prompt/],
  [['new', 'x', '--timeout', '5m'], /^--timeout needs --wait/],
  [['new', 'x', '--from', '/x', '--base', 'y'], /^--from and --base exclude each other/],
  [['wait', 'x', '--all', '--any'], /^--all and --any exclude each other/],
  [['new', ''], /^NAME: it is empty; /],
  [['diff', 'x', '--offset', '3'], /^--offset needs --full/],
  [['log', 'x', '-n', '0'], /^--lines: it must be at least 1; /],
  [['log', 'x', '-n', '3', '--offset', '3'], /^--lines and --offset exclude each other/],
  [['send', 'x', '--resume', '--fresh', '-p', 'y'], /^--resume and --fresh exclude each other/],
  [['status', 'x', '--max-age', '1000h'], /^--max-age: "1000h" is longer than 30 d; /],
] as const) {
  test(`${argv.join(' ')} is wrong usage`, async () => {
    assert.match(await isWrong(argv), pattern)
  })
}

test('in stream-json a wrong usage is the one final line', async () => {
  const {exit, stdout, stderr} = await termic.run(['list', 'x', '--output-format=stream-json'])
  assert.equal([exit, stderr], [2, ''])
  const lines = stdout.split('\n')
  assert.is(lines.length, 2)
  const {type, error} = JSON.parse(lines[0] ?? '')
  assert.equal([type, error.code], ['error', 'usage.invalid'])
})

test('what a prompt looks like does not change the format of a failure', async () => {
  const {exit, stdout, stderr} = await termic.run(['send', 'x', '-p', '--json', '--nope'])
  assert.equal([exit, stdout], [2, ''])
  assert.match(stderr, /^termic: nonexistent flag: --nope/)
})

// oclif's own error with --json is a thousand lines: its whole configuration, paths of the home, argv.
test('a wrong usage in JSON tells nothing but itself', async () => {
  const {stdout} = await termic.run(['archive', '--json'])
  assert.ok(stdout.length < 400, stdout)
  assert.not.match(stdout, new RegExp(termic.home))
})

test.run()
