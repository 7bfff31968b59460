import {test} from 'uvu'
import * as assert from 'uvu/assert'
import * as z from 'zod'
import type {OutputFormat} from '../../../src/core/argv/take-globals.ts'
import {TermicError} from '../../../src/core/errors.ts'
import type {View} from '../../../src/core/verb/verb.ts'
import type {ClientSide} from '../../../src/presentations/cli/client-side.ts'
import {Output} from '../../../src/presentations/cli/output.ts'
import {sampleVerb} from '../../fixtures/sample-verb.ts'

/** What a client was told, in its order. */
function outputTo(format: OutputFormat, changes: Partial<ClientSide> = {}): {output: Output; told: string[]} {
  const told: string[] = []
  const tell = (kind: string) => async (text: Uint8Array | string) => void told.push(`${kind} ${text}`)
  const client = {
    ...{columns: 80, isTerminal: {stdin: false, stdout: false, stderr: false}, shell: {cwd: '/', env: {}}},
    ...{stdout: tell('out'), result: tell('result'), stderr: tell('err')},
    lastWords: async (stream: string, text: string) => void told.push(`last ${stream} ${text}`),
    ...changes,
  } as unknown as ClientSide
  return {output: new Output(client, format), told}
}

function verbThatRenders(render: (result: never, view: View) => unknown) {
  return sampleVerb({result: z.looseObject({}), render}).command
}

const error = new TermicError('task.not-found', {name: 'x'})
const lines = verbThatRenders(() => 'a\nb')

test('in text the answer is lines, and steps and events are nothing without a terminal', async () => {
  const {output, told} = outputTo('text')
  await output.event({type: 'step', text: 'working'})
  await output.event({type: 'note', text: 'mind this'})
  await output.event({type: 'output', text: 'piece'})
  await output.result(lines, {}, {})
  assert.equal(told, ['err mind this\n', 'out piece', 'result a\nb\n'])
})

test('a text that is empty prints nothing, and one that ends its line no second end', async () => {
  const {output, told} = outputTo('text')
  await output.result(
    verbThatRenders(() => ''),
    {},
    {},
  )
  await output.result(
    verbThatRenders(() => 'a\n'),
    {},
    {},
  )
  assert.equal(told, ['result a\n'])
})

test('what is exact is printed to the byte', async () => {
  const {output, told} = outputTo('text')
  for (const exact of ['no end', 'end\n', '\n', ''])
    await output.result(
      verbThatRenders(() => ({exact})),
      {},
      {},
    )
  assert.equal(told, ['result no end', 'result end\n', 'result \n'])
})

test('in JSON there is one object and nothing else', async () => {
  const {output, told} = outputTo('json')
  await output.event({type: 'note', text: 'mind this'})
  await output.event({type: 'output', text: 'piece'})
  await output.result(lines, {a: '\n'}, {})
  assert.equal(told, ['result {"a":"\\n"}\n'])
})

test('in stream-json every event is a line, and the answer the last one', async () => {
  const {output, told} = outputTo('stream-json')
  await output.event({type: 'step', text: 'working'})
  await output.event({type: 'output', text: 'piece', offset: 3})
  await output.result(lines, {a: 1}, {})
  assert.equal(told, [
    'out {"type":"step","text":"working"}\n',
    'out {"type":"output","text":"piece","offset":3}\n',
    'result {"type":"result","result":{"a":1}}\n',
  ])
})

test('a failure is a sentence on stderr, one object, or the last line', async () => {
  const message = 'no task named x; `termic list` shows them'
  const shown = `{"code":"task.not-found","message":"${message}","data":{"name":"x"}}`
  for (const [format, expected, left] of [
    ['text', `err termic: ${message}\n`, `last stderr termic: ${message}\n`],
    ['json', `result {"error":${shown}}\n`, `last stdout {"error":${shown}}\n`],
    [
      'stream-json',
      `result {"type":"error","error":${shown}}\n`,
      `last stdout {"type":"error","error":${shown}}\n`,
    ],
  ] as const) {
    const {output, told} = outputTo(format)
    await output.error(error)
    await output.prepareForLoss(error)
    assert.equal(told, [expected, left])
  }
})

test('a failure without data has no data', async () => {
  const {output, told} = outputTo('json')
  await output.error(new TermicError('git.missing'))
  assert.equal(Object.keys(JSON.parse((told[0] ?? '').replace('result ', '')).error), ['code', 'message'])
})

test('a view tells the width, and colour where stdout is a terminal that wants it', async () => {
  const views: View[] = []
  const verb = verbThatRenders((_, view) => {
    views.push(view)
    return ''
  })
  const terminal = {stdin: true, stdout: true, stderr: false}
  const clients: Partial<ClientSide>[] = [
    {},
    {isTerminal: terminal},
    {isTerminal: terminal, shell: {cwd: '/', env: {NO_COLOR: '1'}}},
    {isTerminal: terminal, shell: {cwd: '/', env: {TERM: 'dumb'}}, columns: 20},
  ]
  for (const changes of clients) await outputTo('text', changes).output.result(verb, {}, {})
  assert.equal(
    views.map(({color, columns}) => [color, columns]),
    [
      [false, 80],
      [true, 80],
      [false, 80],
      [false, 20],
    ],
  )
})

test.run()
