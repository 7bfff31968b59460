import {existsSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {adopt} from '../../../src/core/pane/adopt.ts'
import {forkPty} from '../../../src/core/pane/host/pty.ts'
import {TerminalReader} from '../../../src/core/pane/host/terminal-reader.ts'
import {readPaneRecord} from '../../../src/core/pane/pane-record.ts'
import {isAlive, readProcStat} from '../../../src/core/pane/proc-stat.ts'
import {startHost} from '../../../src/core/pane/spawn-host.ts'
import {endAllPanes, hostEntry, launchOf, PaneUnderTest, paneDir, until} from './pane-under-test.ts'

test.after(endAllPanes)

/** Bytes that the reader gets from one run of a program in a terminal of its own. */
function bytesOf(argv: string[], slowMs = 0): Promise<number> {
  return new Promise(resolve => {
    let total = 0
    const env = {PATH: process.env.PATH ?? ''}
    const options = {argv, env, cwd: '/', columns: 80, rows: 24}
    const pty = forkPty({...options, onExit: () => reader.drain()})
    const reader = new TerminalReader(pty, bytes => {
      for (const end = performance.now() + slowMs; performance.now() < end; );
      total += bytes.length
    })
    void reader.released.then(() => resolve(total))
  })
}

// node-pty#72, #85, #140, #726: the tail of the output is lost when the child exits fast.
test('300 commands that write and exit at once lose no byte', async () => {
  const wrong: number[] = []
  for (let run = 0; run < 300; run++) {
    const bytes = 1 + ((run * 7919) % 60_000)
    const got = await bytesOf(['head', '-c', String(bytes), '/dev/zero'])
    if (got !== bytes) wrong.push(bytes - got)
  }
  assert.equal(wrong, [])
})

test('a reader that is slow loses nothing either', async () => {
  for (let run = 0; run < 20; run++)
    assert.is(await bytesOf(['head', '-c', '200000', '/dev/zero'], 2), 200_000)
})

test('the log of a real host has every byte of a fast command, and its exit says so', async () => {
  const lengths = await Promise.all(
    [1, 4_095, 4_096, 70_000, 200_000, 1_000_000].map(async bytes => {
      const pane = await PaneUnderTest.run(['head', '-c', String(bytes), '/dev/zero'])
      const exit = await pane.exit()
      return [bytes, (await pane.output()).length, exit.offset]
    }),
  )
  for (const [bytes, logged, offset] of lengths) assert.equal([logged, offset], [bytes, bytes])
})

test('exit codes and signals are told as a shell would, in the journal and in the record', async () => {
  const ends = await Promise.all(
    ['exit 0', 'exit 3', 'exit 255', 'kill -9 $$', 'kill -SEGV $$'].map(async script => {
      const pane = await PaneUnderTest.sh(script)
      const {code, signal} = await pane.exit()
      await pane.hostEnds()
      assert.is(readPaneRecord(pane.dir)?.exited?.code, code)
      return signal === undefined ? code : `${code} ${signal}`
    }),
  )
  assert.equal(ends, [0, 3, 255, '137 SIGKILL', '139 SIGSEGV'])
})

// mcp-server-terminal#153: the pane is gone after the exit and its output unreadable.
test('a host whose program ended and whose tree is empty does not stay, and its output does', async () => {
  const pane = await PaneUnderTest.sh('echo hi')
  await pane.hostEnds()
  assert.match(await pane.output(), 'hi')
  assert.not(existsSync(join(pane.dir, 'host.sock')))
  const adoption = await adopt(pane.dir)
  assert.ok('exited' in adoption)
})

test('a process in the background that holds the terminal is read on, with the exit on record at once', async () => {
  const pane = await PaneUnderTest.sh(
    'trap "" HUP; cd "$TMPDIR"; mkfifo go; (read line < go; echo late) & echo early; exit 4',
  )
  assert.is((await pane.exit()).code, 4)
  // The journal's line comes first, the record a moment later.
  await until('the exit is on record', () => readPaneRecord(pane.dir)?.exited?.code === 4)
  const status = await pane.host.request('status', {})
  assert.ok((status.background ?? 0) >= 1)
  writeFileSync(join(tmpdir(), 'go'), 'go\n')
  await pane.hostEnds()
  assert.match(await pane.output(), /early\r\nlate\r\n$/)
})

test('a missing program, one that can not be run and a missing directory are told before anything starts', async () => {
  const plain = join(tmpdir(), 'plain.txt')
  writeFileSync(plain, 'no program')
  const script = join(tmpdir(), 'orphan.sh')
  writeFileSync(script, '#!/nowhere/python\n', {mode: 0o755})
  const start = async (argv: string[], cwd = tmpdir()) => {
    const dir = paneDir()
    const ready = await startHost({paneDir: dir, hostEntry}).launch(launchOf(dir, argv, {cwd}))
    return ready.ready ? 'ready' : `${ready.code}: ${ready.reason}`
  }
  assert.is(await start(['no-such-program']), 'no-program: no-such-program was not found in PATH')
  assert.is(await start(['./no-such-program']), 'no-program: ./no-such-program was not found')
  assert.is(await start([plain]), `no-program: ${plain} is not executable`)
  assert.match(await start([script]), /^no-program: .*orphan.sh needs \/nowhere\/python/)
  assert.is(await start(['sh'], '/no/such/place'), 'no-cwd: /no/such/place does not exist')
  assert.is(await start(['sh'], plain), `no-cwd: ${plain} is not a directory`)
})

test('a host that is abandoned ends quietly', async () => {
  const dir = paneDir()
  const started = startHost({paneDir: dir, hostEntry})
  const pid = started.hostPid ?? 0
  const ticks = readProcStat(pid)?.startTicks ?? 0
  started.abandon()
  await until('the host ends', () => !isAlive(pid, ticks))
  assert.equal(await adopt(dir), {lost: null})
})

test('a host that can not start is a failure with its reason, not a silence', async () => {
  const dir = paneDir()
  const ready = await startHost({paneDir: dir, hostEntry: join(dir, 'no-host.js')}).launch(
    launchOf(dir, ['sh']),
  )
  assert.ok(!ready.ready && ready.code === 'failed')
})

test.run()
