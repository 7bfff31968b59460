import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {type ShellMarksState, shellMarks} from '../../../src/core/agent/shell-marks.ts'
import type {AgentSignal} from '../../../src/core/agent/types.ts'
import type {JournalEntry} from '../../../src/core/pane/types.ts'

const nonce = 'n0nce'

/** Marks as the shells write them, in short: `A`, `B`, `C`, `D 1`, `PS2`, `E text`, `loaded d1` (and draft, duplicate, invalid), `exit 3`. */
function entryOf(short: string, index: number): JournalEntry {
  const [mark = '', ...rest] = short.split(' ')
  const field = rest.join(' ')
  const place = {seq: index + 1, at: 1000 + index, offset: 10 * (index + 1)}
  if (mark === 'start') return {...place, type: 'start', pid: 1}
  if (mark === 'exit') return {...place, type: 'exit', code: Number(field)}
  const osc = (code: number, text: string): JournalEntry => ({...place, type: 'osc', code, text})
  if (mark === 'E') return osc(633, `E;${field};${nonce}`)
  if (mark === 'PS2') return osc(133, `A;k=s;n=${nonce}`)
  if (mark === 'D') return osc(133, `D;${field};n=${nonce}`)
  if (/^[ABC]$/.test(mark)) return osc(133, `${mark};n=${nonce}`)
  return osc(633, `T;${mark};${field};${nonce}`)
}

function read(entries: readonly JournalEntry[], context = {nonce}): AgentSignal[] {
  let state: unknown = shellMarks.initial
  return entries.flatMap(entry => {
    const before = JSON.stringify(state)
    const step = shellMarks.read(JSON.parse(before) as ShellMarksState, entry, context)
    state = step.state
    return step.signals
  })
}

/** Signals in short: type, delivery id, exit code. */
function shortOf(signal: AgentSignal): string {
  const id = 'deliveryId' in signal ? signal.deliveryId : undefined
  const code = 'exitCode' in signal ? signal.exitCode : 'code' in signal ? signal.code : undefined
  return [signal.type, id, code].filter(part => part !== undefined).join(' ')
}

const signalsOf = (marks: string) => read(marks.split(', ').map(entryOf)).map(shortOf)

const table: readonly [sentence: string, marks: string, signals: string[]][] = [
  ['the first prompt is ready once it is displayed', 'start, A, B', ['ready']],
  ['a prompt that is drawn again is no news', 'A, B, B, B', ['ready']],
  ['an empty line brings a new prompt', 'A, B, A, B', ['ready', 'ready']],
  [
    'a delivered prompt is submitted, started, ended, and then the shell is ready',
    'A, B, loaded d1, B, E x, C, D 3, A, B',
    ['ready', 'submitted d1', 'started', 'ended 3', 'ready 3'],
  ],
  [
    'an end in the middle is not the end',
    'loaded d1, C, D 1, C, D 0, A, B',
    ['submitted d1', 'started', 'ended 0', 'ready 0'],
  ],
  [
    'a prompt that is begun but not displayed is no end',
    'loaded d1, C, D 1, A, C, D 2',
    ['submitted d1', 'started'],
  ],
  [
    'a line that never ran and failed was not parsed',
    'loaded d1, B, D 2, A, B',
    ['submitted d1', 'rejected d1 2', 'ready 2'],
  ],
  [
    'a line that never ran and did not fail was a comment',
    'loaded d1, D 0, A, B',
    ['submitted d1', 'ended 0', 'ready 0'],
  ],
  [
    'a line that the shell knows to be invalid is rejected at once',
    'A, B, invalid d1, B, A, B',
    ['ready', 'rejected d1', 'ready'],
  ],
  [
    'an unfinished one says so once and is rejected, whatever ran of it',
    'loaded d1, C, PS2, PS2, D 130, A, B',
    ['submitted d1', 'started', 'unfinished', 'rejected d1 130', 'ready 130'],
  ],
  [
    'a rejected one has no exit code 0',
    'loaded d1, PS2, D 0, A, B',
    ['submitted d1', 'unfinished', 'rejected d1', 'ready 0'],
  ],
  ['an unfinished line of a person is their own affair', 'A, B, PS2, D 130, A, B', ['ready', 'ready']],
  ['a line of a person that does not parse is their own affair', 'A, B, D 2, A, B', ['ready', 'ready']],
  ['a command of a person is a turn', 'A, B, E x, C, D 1, A, B', ['ready', 'started', 'ended 1', 'ready 1']],
  ['a draft leaves the shell where it was', 'A, B, draft d1, B', ['ready', 'draft d1']],
  [
    'a command that took the hooks away ends without a code',
    'loaded d1, C, B',
    ['submitted d1', 'started', 'ended', 'ready'],
  ],
  ['the exit of the shell is the last word', 'loaded d1, C, exit 3', ['submitted d1', 'started', 'exited 3']],
  [
    'what was delivered before is answered for with its exit code',
    'loaded d1, C, D 4, A, B, C, D 0, A, B, duplicate d1',
    [
      'submitted d1',
      'started',
      'ended 4',
      'ready 4',
      'started',
      'ended 0',
      'ready 0',
      'submitted d1',
      'ended 4',
      'ready 4',
    ],
  ],
  [
    'what was delivered long before is answered for without',
    'A, B, duplicate d0',
    ['ready', 'submitted d0', 'ended', 'ready'],
  ],
  [
    'what is under way is only confirmed again',
    'loaded d1, C, duplicate d1',
    ['submitted d1', 'started', 'submitted d1'],
  ],
  ['an id of any characters comes back', 'loaded a%3Bb%2a%20%C3%A9', ['submitted a;b* é']],
  ['an id that is broken is no reason to fail', 'loaded %E9%', ['submitted %E9%']],
  ['a restarted program begins anew', 'loaded d1, C, start, B, A, B', ['submitted d1', 'started', 'ready']],
]

for (const [sentence, marks, signals] of table) test(sentence, () => assert.equal(signalsOf(marks), signals))

test('every signal of a mark is exact, of the terminal, with the place of the mark', () => {
  const [ready] = read(['A', 'B'].map(entryOf))
  assert.equal(ready, {
    type: 'ready',
    at: 1001,
    offset: 20,
    evidence: {source: 'osc', at: 1001, detail: 'the shell is at its prompt'},
    confidence: 'exact',
  })
  const [exited] = read([entryOf('exit 3', 0)])
  assert.is(exited?.evidence.source, 'process')
})

test('a turn ends where its command ended, not where the next prompt is', () => {
  const signals = read(['loaded d1', 'C', 'D 1', 'A', 'B'].map(entryOf))
  assert.is(signals.find(({type}) => type === 'ended')?.offset, 30)
  assert.is(signals.find(({type}) => type === 'ready')?.offset, 50)
})

test('a command line comes back as it was', () => {
  const [started] = read(['E a\\x3b b \\\\x41 \\x0Ac\\\\', 'C'].map(entryOf))
  assert.is(started?.type === 'started' && started.command, 'a; b \\x41 \nc\\')
})

test('marks without the nonce, with another, or of a pane without one mean nothing', () => {
  const foreign = [
    '133;A',
    '133;B',
    '133;C;n=other',
    '133;D;0',
    '633;E;x;other',
    '633;T;loaded;d1;other',
    '133;B;n=',
    '1337;B;n=n0nce',
  ]
  const entries = foreign.map((text, index): JournalEntry => {
    const [code, ...fields] = text.split(';')
    return {seq: index + 1, at: index, offset: index, type: 'osc', code: Number(code), text: fields.join(';')}
  })
  assert.equal(read(entries), [])
  assert.equal(read(['A', 'B'].map(entryOf), {nonce: ''}), [])
})

test.run()
