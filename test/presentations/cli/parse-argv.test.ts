import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {TermicError} from '../../../src/core/errors.ts'
import type {LoadedVerb} from '../../../src/core/registry/loaded-verb.ts'
import {Registry} from '../../../src/core/registry/registry.ts'
import {parseArgv, spellingsOf} from '../../../src/presentations/cli/parse-argv.ts'
import {checkout} from '../../fixtures/termic.ts'

const registry = await Registry.open(join(checkout, 'src'))

async function verb(id: string): Promise<LoadedVerb> {
  const found = await registry.verb(id)
  assert.ok(found, id)
  return found
}

async function parsed(id: string, ...argv: string[]) {
  return parseArgv(await verb(id), argv)
}

async function refusal(id: string, ...argv: string[]): Promise<string> {
  const error: unknown = await parsed(id, ...argv).catch((error: unknown) => error)
  if (!(error instanceof TermicError)) throw error
  assert.is(error.code, 'usage.invalid')
  assert.not.match(error.message, /\n/)
  return error.message
}

test('flags, arguments and texts come under the names of the class, parsed', async () => {
  const {input, format, help} = await parsed(
    ...(['task.send', 'one', '--wait', '-p', 'x', '--timeout=1m', '--json', '--delivery-id', '-d'] as const),
  )
  assert.equal({...input}, {task: 'one', wait: true, prompt: 'x', timeout: 60_000, 'delivery-id': '-d'})
  assert.equal([format, help], ['json', false])
})

test('the order of flags and arguments does not matter', async () => {
  const one = await parsed('task.new', 'x', '-p', 'y', '--base', 'main')
  const other = await parsed('task.new', '--base=main', '-py', 'x')
  assert.equal({...one.input}, {...other.input})
})

// oclif refuses or obeys each of these.
for (const text of ['-p is broken', '--wait', '--help', '--json', '--', '-', 'a\0b', '']) {
  test(`the prompt ${JSON.stringify(text)} is looked at by nobody`, async () => {
    for (const argv of [['-p', text], ['--prompt', text], [`--prompt=${text}`]]) {
      const {input, format, help, withoutText} = await parsed('task.send', 'one', ...argv)
      assert.equal({...input}, {task: 'one', prompt: text})
      assert.equal([format, help], ['text', false])
      assert.equal(withoutText, ['one'])
    }
  })
}

test('what a call is run again with has everything but the texts', async () => {
  const {withoutText} = await parsed('task.send', '--json', 'one', '-p', 'x', '--wait', '--timeout', '5')
  assert.equal(withoutText, ['--json', 'one', '--wait', '--timeout', '5'])
})

test('help wins over everything that is wrong beside it', async () => {
  for (const argv of [
    ['--help'],
    ['one', '-h'],
    ['--nope', '--help'],
    ['--help', '-p'],
    ['-p', 'a', '-p', 'b', '--help'],
    ['--tab', '--help'],
    ['--timeout', 'soon', '-h'],
    ['--help', '--json', '--output-format', 'text'],
  ]) {
    const {help, input} = await parsed('task.send', ...argv)
    assert.equal([help, input], [true, undefined], argv.join(' '))
  }
})

test('after -- a flag is an argument', async () => {
  assert.equal({...(await parsed('task.new', '--', '-x')).input}, {name: '-x'})
  assert.match(await refusal('task.list', '--', '--json'), /^unexpected argument: --json; /)
})

test('many arguments are a list, one is not', async () => {
  assert.equal((await parsed('task.wait', 'a', 'b')).input?.tasks, ['a', 'b'])
  assert.equal((await parsed('task.wait', 'a')).input?.tasks, ['a'])
  assert.is((await parsed('task.status', 'a')).input?.task, 'a')
})

// oclif's `multiple` flags are greedy, and `--tab a foo` ate the argument.
test('a flag takes one word', async () => {
  const {input} = await parsed('task.send', '--tab', 'a', 'one', '-p', 'x')
  assert.equal([input?.tab, input?.task], ['a', 'one'])
})

for (const [id, argv, reason] of [
  ['task.list', ['x'], 'unexpected argument: x'],
  ['task.list', ['--nope'], 'nonexistent flag: --nope'],
  ['task.list', ['--quiet=yes'], ''],
  ['task.send', ['one', '-p'], '--prompt needs a text'],
  ['task.send', ['one', '-p', 'a', '--prompt=b'], '--prompt was given twice'],
  ['task.send', ['one', '-p', 'a', '--timeout', '5m'], '--timeout needs --wait'],
  ['task.send', ['one', '-p', 'a', '--fresh', '--resume'], '--resume and --fresh exclude each other'],
  ['task.log', ['-n', '0'], '--lines: it must be at least 1'],
  ['task.log', ['-n', '1.5'], '--lines: "1.5" is not a whole number'],
  ['task.log', ['-n'], 'flag --lines expects a value'],
  ['task.archive', [], 'TASK is missing'],
  ['config.set', ['agent'], 'VALUE is missing'],
  ['task.list', ['--json', '--output-format', 'text'], '--json and --output-format exclude each other'],
] as const) {
  test(`${id} ${argv.join(' ')} is one sentence and the way to its usage`, async () => {
    const sentence = await refusal(id, ...argv)
    const words = id.replace('task.', '').replace('.', ' ')
    assert.ok(sentence.startsWith(reason), sentence)
    assert.ok(sentence.endsWith(`; \`termic ${words} --help\` shows its usage`), sentence)
  })
}

test('no verb has a flag that is global, nor two flags of one letter', async () => {
  for (const loaded of await registry.verbs()) {
    const spellings = spellingsOf(loaded)
    const names = spellings.map(({name}) => name)
    for (const taken of ['json', 'output-format', 'help', 'no-launch'])
      assert.not(names.includes(taken), `${loaded.id} --${taken}`)
    const chars = spellings.map(({char}) => char).filter(char => char !== undefined)
    assert.not(chars.includes('h'), loaded.id)
    assert.is(new Set(chars).size, chars.length, loaded.id)
  }
})

test.run()
