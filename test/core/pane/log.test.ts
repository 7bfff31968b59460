import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {segmentBases, segmentName} from '../../../src/core/pane/host/segment-log.ts'
import {readLog} from '../../../src/core/pane/log-reader.ts'
import {endAllPanes, PaneUnderTest, paneDir, until} from './pane-under-test.ts'

test.after(endAllPanes)

const mib = 1024 * 1024

test('the log is read across segments, from any offset and in any portion', async () => {
  const pane = await PaneUnderTest.sh('seq 1 150000', {logLimitBytes: 4 * mib})
  await pane.exit()
  const expected = Buffer.from(Array.from({length: 150_000}, (_, index) => `${index + 1}\r\n`).join(''))
  assert.is(segmentBases(pane.dir).length, 2)
  const whole = await readLog(pane.dir, {offset: 0, limitBytes: 2 * mib})
  assert.ok(whole.bytes.equals(expected))
  assert.equal(
    [whole.nextOffset, whole.endOffset, whole.droppedBefore],
    [expected.length, expected.length, 0],
  )
  const pieces: Buffer[] = []
  for (let offset = 0; offset < whole.endOffset; ) {
    const piece = await readLog(pane.dir, {offset, limitBytes: 99_991})
    pieces.push(piece.bytes)
    offset = piece.nextOffset
  }
  assert.ok(Buffer.concat(pieces).equals(expected))
  const beyond = await readLog(pane.dir, {offset: 1e9, limitBytes: 10})
  assert.equal([beyond.bytes.length, beyond.nextOffset], [0, expected.length])
})

test('the oldest segments are dropped at the limit, and offsets stay what they were', async () => {
  const limit = mib
  const pane = await PaneUnderTest.sh('seq 1 500000; echo ready; read x', {logLimitBytes: limit})
  const expected = Buffer.from(
    `${Array.from({length: 500_000}, (_, index) => `${index + 1}\r\n`).join('')}ready\r\n`,
  )
  await until(
    'all is logged',
    async () => (await pane.host.request('status', {})).endOffset === expected.length,
  )
  const {bytes, offset, nextOffset, droppedBefore} = await readLog(pane.dir, {
    offset: 5,
    limitBytes: 2 * limit,
  })
  assert.ok(
    droppedBefore > 0 &&
      expected.length - droppedBefore <= limit &&
      expected.length - droppedBefore > limit / 2,
  )
  assert.equal([offset, nextOffset], [droppedBefore, expected.length])
  assert.ok(bytes.equals(expected.subarray(offset)))
  assert.is((await pane.host.request('status', {})).droppedBefore, droppedBefore)
})

// Row "output flood": memory, and the latency of everything else.
test('64 MB of flood are logged byte for byte, in little memory, while requests are answered', async () => {
  const pane = await PaneUnderTest.sh('stty raw -echo; echo ready; read x; yes | head -c 64000000; exec cat')
  await pane.says('ready')
  await pane.input('go', '\n')
  const waits: number[] = []
  let largest = 0
  const total = 6 + 64_000_000
  await until('all is logged', async () => {
    const asked = performance.now()
    const {endOffset} = await pane.host.request('status', {})
    waits.push(performance.now() - asked)
    const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pane.hostPid}/status`, 'latin1'))?.[1]
    largest = Math.max(largest, Number(rss) / 1024)
    return endOffset >= total
  })
  const line = Buffer.alloc(mib, 'y\n')
  for (let offset = 'ready\n'.length; offset < total; ) {
    const piece = await readLog(pane.dir, {offset, limitBytes: mib})
    assert.ok(piece.bytes.equals(line.subarray(0, piece.bytes.length)), `at ${offset}`)
    offset = piece.nextOffset
  }
  console.log(largest, waits.length)
  assert.ok(largest < 130, `${largest} MB resident`)
  const sorted = waits.sort((a, b) => a - b)
  assert.ok(
    (sorted[Math.floor(sorted.length / 2)] ?? 0) < 100,
    `status took ${sorted[Math.floor(sorted.length / 2)]} ms`,
  )
})

test('a disk that takes nothing stops neither the host nor the program, and is told', async () => {
  const dir = paneDir()
  // Every write to /dev/full fails with ENOSPC.
  symlinkSync('/dev/full', join(dir, segmentName(0)))
  symlinkSync('/dev/full', join(dir, 'journal.ndjson'))
  const pane = await PaneUnderTest.sh(
    'head -c 6000000 /dev/zero; echo passed >"$TMPDIR/passed"; read x; echo late',
    {dir},
  )
  await until('it is told', () =>
    pane.entries.some(entry => entry.type === 'log' && entry.state === 'refused'),
  )
  // On a busy machine the patience may be over by now; then it has been told as well.
  const {logTrouble} = await pane.host.request('status', {})
  const isOver = pane.entries.some(entry => entry.type === 'log' && entry.state === 'accepted')
  assert.ok(isOver || logTrouble?.reason === 'ENOSPC')
  await until('the program got through', () => existsSync(join(tmpdir(), 'passed')))
  assert.is((await pane.input('a', '\n')).state, 'written')
  // The disk has room again.
  unlinkSync(join(dir, segmentName(0)))
  await until('the log goes on', () =>
    pane.entries.some(entry => entry.type === 'log' && entry.state === 'accepted'),
  )
  // Not from the file, which never ends while it is /dev/full.
  await until('the program exits', () => pane.entries.some(({type}) => type === 'exit'))
  const told = pane.entries.find(entry => entry.type === 'log' && entry.state === 'accepted')
  const lost = told?.type === 'log' && told.state === 'accepted' ? told.lostBytes : 0
  assert.ok(lost > 0)
  const log = await readLog(dir, {offset: 0, limitBytes: 1e8})
  assert.is(log.offset, lost)
  assert.match(log.bytes.toString('latin1'), /\0\r?\n?.*late\r\n$/s)
})

test('a short shortage loses nothing', async () => {
  const dir = paneDir()
  symlinkSync('/dev/full', join(dir, segmentName(0)))
  const pane = await PaneUnderTest.sh('seq 1 100000; echo end', {dir})
  await pane.entry('the disk is full', entry => entry.type === 'log')
  unlinkSync(join(dir, segmentName(0)))
  await pane.exit()
  await pane.hostEnds()
  const log = await readLog(dir, {offset: 0, limitBytes: 1e8})
  assert.is(log.offset, 0)
  assert.ok(
    log.bytes.toString('latin1').startsWith('1\r\n2\r\n') &&
      log.bytes.toString('latin1').endsWith('100000\r\nend\r\n'),
  )
})

test('a gap that a full disk left ends one piece and begins the next', async () => {
  const dir = paneDir()
  writeFileSync(join(dir, segmentName(0)), 'before')
  writeFileSync(join(dir, segmentName(100)), 'after')
  const first = await readLog(dir, {offset: 2, limitBytes: 100})
  assert.equal([first.bytes.toString(), first.offset, first.nextOffset], ['fore', 2, 6])
  const second = await readLog(dir, {offset: 6, limitBytes: 100})
  assert.equal([second.bytes.toString(), second.offset, second.nextOffset], ['after', 100, 105])
})

test('files of a pane are for its owner only', async () => {
  const pane = await PaneUnderTest.sh('read x')
  for (const name of readdirSync(pane.dir)) assert.is(lstatSync(join(pane.dir, name)).mode & 0o077, 0, name)
})

test('a pane in a directory that is gone is a failure with a reason', async () => {
  const dir = join(paneDir(), 'x'.repeat(100))
  mkdirSync(dir)
  const failure = await PaneUnderTest.sh('true', {dir}).catch((error: Error) => error.message)
  assert.match(String(failure), /EINVAL|ENAMETOOLONG|too long/)
})

test.run()
