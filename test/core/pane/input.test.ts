import {createHash, randomBytes} from 'node:crypto'
import {readFileSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {endAllPanes, PaneUnderTest, until} from './pane-under-test.ts'

test.after(endAllPanes)

/** A program that writes what it reads, byte by byte as it came, into a file of its own. */
async function rawCat(name: string): Promise<{pane: PaneUnderTest; file: string}> {
  const file = join(tmpdir(), name)
  const pane = await PaneUnderTest.sh(`stty raw -echo; echo ready; exec cat > ${file}`)
  await pane.says('ready')
  return {pane, file}
}

const sizeOf = (file: string): number => statSync(file, {throwIfNoEntry: false})?.size ?? 0

test('two requests with one id write the input once', async () => {
  const {pane, file} = await rawCat('once')
  const answers = await Promise.all([
    pane.input('a', 'hello'),
    pane.input('a', 'hello'),
    pane.input('b', '!'),
  ])
  assert.equal(
    answers.map(({state}) => state),
    ['written', 'already', 'written'],
  )
  await until('the program has it', () => sizeOf(file) >= 6)
  assert.is(readFileSync(file, 'utf8'), 'hello!')
})

test('the next client may ask again: the host remembers across connections', async () => {
  const {pane, file} = await rawCat('again')
  await pane.input('a', 'first.')
  pane.host.close()
  await pane.connect()
  assert.is((await pane.input('a', 'first.')).state, 'already')
  assert.is((await pane.host.request('wasWritten', {inputId: 'a'})).state, 'written')
  assert.is((await pane.host.request('wasWritten', {inputId: 'z'})).state, 'unknown')
  await pane.input('b', 'second.')
  await until('the program has both', () => sizeOf(file) >= 13)
  assert.is(readFileSync(file, 'utf8'), 'first.second.')
})

test('the journal has begun before the first byte and written before the answer', async () => {
  const {pane} = await rawCat('journal')
  await pane.input('a', 'hello')
  const inputs = (await pane.journal()).filter(entry => entry.type === 'input')
  assert.equal(
    inputs.map(({inputId, state, bytes}) => [inputId, state, bytes]),
    [
      ['a', 'begun', 5],
      ['a', 'written', 5],
    ],
  )
})

test('a first prompt given with the arguments counts as written', async () => {
  const pane = await PaneUnderTest.sh('echo ready; cat', {firstPrompt: {inputId: 'first'}})
  assert.is((await pane.host.request('wasWritten', {inputId: 'first'})).state, 'written')
  assert.is((await pane.input('first', 'x\n')).state, 'already')
})

test('1 MB arrives exactly', async () => {
  const {pane, file} = await rawCat('large')
  const bytes = randomBytes(1024 * 1024)
  assert.is((await pane.input('a', bytes)).state, 'written')
  await until('the program has it', () => sizeOf(file) >= bytes.length)
  const digest = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')
  assert.is(digest(readFileSync(file)), digest(bytes))
})

test('an input goes on when the client that asked for it goes away', async () => {
  const {pane, file} = await rawCat('gone')
  process.kill(pane.pid, 'SIGSTOP')
  const bytes = Buffer.alloc(300_000, 'x')
  const asked = pane.input('a', bytes).then(
    () => 'answered',
    () => 'went away',
  )
  await pane.entry('the input is begun', entry => entry.type === 'input')
  pane.host.close()
  assert.is(await asked, 'went away')
  process.kill(pane.pid, 'SIGCONT')
  await pane.entry('it is written', entry => entry.type === 'input' && entry.state === 'written')
  await until('the program has it', () => sizeOf(file) >= bytes.length)
  assert.is(sizeOf(file), bytes.length)
})

// Every library's writer hangs, spins or blocks a thread here.
test('a program that never reads holds up neither the host nor other requests, and its end answers', async () => {
  const pane = await PaneUnderTest.sh('stty raw -echo; echo ready; exec sleep 1000')
  await pane.says('ready')
  const asked = pane.input('a', Buffer.alloc(2_000_000, 'x'))
  const queued = pane.input('b', 'never')
  await pane.entry('the input is begun', entry => entry.type === 'input')
  assert.is((await pane.host.request('wasWritten', {inputId: 'a'})).state, 'begun')
  assert.is((await pane.host.request('status', {})).pid, pane.pid)
  const spent = () => {
    const fields = readFileSync(`/proc/${pane.hostPid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
    return Number(fields[11]) + Number(fields[12])
  }
  const before = spent()
  const rounds = 50
  for (let round = 0; round < rounds; round++) {
    await pane.host.request('status', {})
    await until(
      'a few milliseconds passed',
      (() => {
        const end = performance.now() + 10
        return () => performance.now() > end
      })(),
    )
  }
  // Half a second of waiting: a busy loop would cost about 50 ticks.
  assert.ok(spent() - before < 25, `the host spent ${spent() - before} ticks`)
  process.kill(pane.pid, 'SIGKILL')
  assert.is((await asked).state, 'exited')
  assert.is((await queued).state, 'exited')
  const begun = (await pane.journal()).filter(entry => entry.type === 'input')
  assert.equal(
    begun.map(({inputId, state}) => `${inputId} ${state}`),
    ['a begun'],
  )
})

test('more than 16 MiB of waiting input is refused, and the rest goes on', async () => {
  const pane = await PaneUnderTest.sh('stty raw -echo; echo ready; exec sleep 1000')
  await pane.says('ready')
  const first = pane.input('a', Buffer.alloc(12 * 1024 * 1024)).catch(() => 'lost')
  const reason = await pane.input('b', Buffer.alloc(12 * 1024 * 1024)).catch((error: Error) => error.message)
  assert.match(String(reason), 'too much input waits')
  await pane.end()
  await first
})

test.run()
