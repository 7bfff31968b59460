import {writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {FactLimiter} from '../../../src/core/pane/host/fact-limiter.ts'
import {OscScanner} from '../../../src/core/pane/host/osc-scanner.ts'
import {readJournal} from '../../../src/core/pane/log-reader.ts'
import type {JournalFact} from '../../../src/core/pane/types.ts'
import {endAllPanes, PaneUnderTest, paneDir, until} from './pane-under-test.ts'

test.after(endAllPanes)

const nonce = 'n0nce'

function scan(pieces: Uint8Array[]): [JournalFact, number][] {
  const found: [JournalFact, number][] = []
  const scanner = new OscScanner(nonce, (fact, offset) => found.push([fact, offset]))
  for (const piece of pieces) scanner.push(Buffer.from(piece))
  return found
}

function texts(output: string): string[] {
  return scan([Buffer.from(output)]).map(([fact]) =>
    fact.type === 'osc' ? `${fact.code};${fact.text}` : fact.type,
  )
}

test('facts are found wherever the output is cut', () => {
  const output = Buffer.from(
    'a✜é\x1b]0;tïtle ✜ 🚀\x07\x1b]2;two\x1b\\°£\x07\x1b]633;C;n=n0nce\x07\x1b[?2004h\x1b[?1049;25h\x1bPq\x07#0\x1b\\\x1b]7;file://h/é\x1b\\' +
      '\x1b[?2004l\u009d9;c1\u009c\x1b_apc\x07\x1b\\\x1bc',
  )
  const whole = scan([output])
  assert.equal(
    whole.map(([fact]) => fact.type),
    ['osc', 'osc', 'bell', 'osc', 'mode', 'mode', 'osc', 'mode', 'osc', 'mode'],
  )
  assert.equal(whole[0]?.[0], {type: 'osc', code: 0, text: 'tïtle ✜ 🚀'})
  assert.is(whole[0]?.[1], output.indexOf(7) + 1)
  for (let cut = 1; cut < output.length; cut++) {
    assert.equal(scan([output.subarray(0, cut), output.subarray(cut)]), whole, `cut at ${cut}`)
  }
  assert.equal(scan([...output].map(byte => Uint8Array.of(byte))), whole, 'byte by byte')
})

test('marks count with the nonce only, as one of their fields', () => {
  assert.equal(texts('\x1b]133;D;0\x07\x1b]133;D;0;n=other\x07\x1b]633;E;ls;n0nce2\x07'), [])
  assert.equal(texts('\x1b]133;D;0;n=n0nce\x07\x1b]633;E;ls;n0nce\x07'), [
    '133;D;0;n=n0nce',
    '633;E;ls;n0nce',
  ])
  const without = new OscScanner(undefined, () => assert.unreachable())
  without.push(Buffer.from('\x1b]133;D;0\x07\x1b]133;D;0;n=\x07\x1b]633;E;ls;undefined\x07'))
})

test('texts are cut to 4 KiB between characters, and a mark keeps its proof', () => {
  const [title, mark] = scan([
    Buffer.from(`\x1b]0;${'é'.repeat(5000)}\x07\x1b]633;E;${'é'.repeat(5000)};${nonce}\x07`),
  ])
  assert.is(title?.[0].type === 'osc' && title[0].text, 'é'.repeat(2048))
  assert.ok(
    mark?.[0].type === 'osc' &&
      mark[0].text.endsWith(`é;${nonce}`) &&
      Buffer.byteLength(mark[0].text) <= 4096,
  )
})

test('a sequence without an end is given up after 64 KiB', () => {
  for (const start of ['\x1b]0;', '\x1bP', '\x1b[']) {
    const facts = texts(`${start}${'1'.repeat(70_000)}\x1b]0;next\x07`)
    assert.equal(facts, ['0;next'])
  }
})

test('one title in 100 ms passes, the latest wins and repeats are dropped', () => {
  let now = 0
  const passed: string[] = []
  const limiter = new FactLimiter(
    fact => passed.push(fact.type === 'osc' ? fact.text : fact.type),
    () => now,
  )
  const offer = (text: string): void =>
    limiter.offer('osc 0', {type: 'osc', code: 0, text}, {burst: 1, repeats: false})
  offer('a')
  offer('a')
  offer('b')
  offer('c')
  assert.equal(passed, ['a'])
  now = 101
  offer('d')
  assert.equal(passed, ['a', 'd'])
  offer('e')
  offer('d')
  limiter.flush()
  assert.equal(passed, ['a', 'd'])
  offer('f')
  limiter.flush()
  assert.equal(passed, ['a', 'd', 'f'])
})

test('what a patient program can add to the journal grows slower and slower', () => {
  let now = 0
  let bytes = 0
  const limiter = new FactLimiter(
    fact => {
      bytes += JSON.stringify(fact).length
    },
    () => now,
  )
  const text = 'x'.repeat(4000)
  for (let round = 0; round < 200_000; round++) {
    now += 100
    limiter.offer('osc 0', {type: 'osc', code: 0, text: text + round}, {burst: 1, repeats: false})
  }
  limiter.flush()
  assert.ok(bytes < 64 * 1024 * 1024, `${bytes} bytes after five and a half hours`)
})

test('a program that sets 200,000 titles and rings without end adds little, and its marks all arrive in order', async () => {
  const pane = await PaneUnderTest.run(
    [
      'perl',
      '-e',
      'for $i (1..200000) { print "\\e]0;t$i\\a\\e]9;n$i\\a\\a"; print "\\e]133;D;$i;n=n0nce\\a" if $i % 1000 == 0 } print "\\e]0;last\\a"',
    ],
    {nonce},
  )
  await pane.exit()
  const entries = await pane.journal()
  assert.equal(
    entries.flatMap(entry => (entry.type === 'osc' && entry.code === 133 ? [entry.text] : [])),
    Array.from({length: 200}, (_, index) => `D;${(index + 1) * 1000};n=n0nce`),
  )
  const others = entries.filter(
    entry => (entry.type === 'osc' && entry.code !== 133) || entry.type === 'bell',
  )
  assert.ok(others.length < 400, `${others.length} entries`)
  assert.is(entries.findLast(entry => entry.type === 'osc' && entry.code === 0)?.type === 'osc', true)
  const last = entries.findLast(entry => entry.type === 'osc' && entry.code === 0)
  assert.is(last?.type === 'osc' && last.text, 'last')
  assert.equal(
    entries.map(({seq}) => seq),
    entries.map((_, index) => index + 1),
  )
  for (const [index, entry] of entries.entries()) assert.ok(entry.offset >= (entries[index - 1]?.offset ?? 0))
})

test('a watcher gets every entry once and in order, from wherever it left off', async () => {
  const marks = 3000
  const pane = await PaneUnderTest.sh(
    `i=0; while [ $i -lt ${marks} ]; do i=$((i+1)); printf "\\033]133;D;$i;n=n0nce\\007"; done; read x`,
    {nonce},
  )
  await until('all entries came', () => pane.entries.length >= marks + 1)
  for (const afterSeq of [0, 1, 63, 64, 1000, 2999]) {
    pane.host.close()
    const seqs: number[] = []
    await pane.connect()
    pane.host.onEntry(({seq}) => seqs.push(seq))
    await pane.host.request('watch', {afterSeq})
    await until('the rest came', () => seqs.at(-1) === marks + 1 && seqs.includes(afterSeq + 1))
    const rest = seqs.slice(seqs.lastIndexOf(afterSeq + 1))
    assert.equal(
      rest,
      Array.from({length: marks + 1 - afterSeq}, (_, index) => afterSeq + 1 + index),
    )
  }
})

test('resize reaches the program and the journal', async () => {
  const pane = await PaneUnderTest.sh('trap "stty size" WINCH; echo ready; while :; do sleep 0.05; done')
  await pane.says('ready')
  await pane.host.request('resize', {columns: 132, rows: 50})
  await pane.says('50 132')
  await pane.entry('the resize is told', entry => entry.type === 'resize' && entry.columns === 132)
  const refused = await pane.host
    .request('resize', {columns: 0, rows: -1})
    .catch((error: Error) => error.message)
  assert.match(String(refused), 'no size of a terminal')
})

// opencode#7607 and others: a crash or a full disk leaves fused or cut lines.
test('a journal whose last line is cut is read up to there', async () => {
  const dir = paneDir()
  writeFileSync(
    join(dir, 'journal.ndjson'),
    '{"seq":1,"at":1,"offset":0,"type":"bell"}\n{"seq":2,"at":1,"off',
  )
  const {entries} = await readJournal(dir, {afterSeq: 0})
  assert.equal(
    entries.map(({seq}) => seq),
    [1],
  )
  assert.equal(await readJournal(tmpdir(), {afterSeq: 0}), {entries: []})
})

test.run()
