import {readFileSync, readlinkSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {livingTree} from '../../../src/core/pane/host/process-tree.ts'
import {startHost} from '../../../src/core/pane/spawn-host.ts'
import {
  descriptorsOf,
  endAllPanes,
  hostEntry,
  launchOf,
  PaneUnderTest,
  paneDir,
  processesWith,
  until,
} from './pane-under-test.ts'

test.after(endAllPanes)

/** Refuses TERM and HUP, forks twice, leaves the session and the terminal, and starts another that does the same. */
const stubborn = `
  trap "" TERM HUP INT
  sleep 1000 &
  setsid sh -c 'trap "" TERM HUP; sleep 1001 & exec sleep 1002' </dev/null >/dev/null 2>&1 &
  (setsid sh -c '(trap "" TERM HUP; exec sleep 1003) & exit' </dev/null >/dev/null 2>&1 &)
  (sh -c 'sleep 1004 & exit' &)
  echo ready
  while :; do sleep 1005; done`

// agent-deck#729, claude-mem#1007, opencode#11225: children survive the stop.
test('a tree that ignores TERM and HUP, forks twice and leaves its session is ended to the last process', async () => {
  const pane = await PaneUnderTest.sh(stubborn)
  await pane.says('ready')
  await until('the whole tree is there', () => livingTree(pane.hostPid, pane.pid).length >= 7)
  const tree = livingTree(pane.hostPid, pane.pid)
  const report = await pane.host.request('kill', {reason: 'test', graceMs: 100})
  assert.is(report.remaining, 0)
  assert.ok(report.forced >= 4, `${report.forced} were forced`)
  assert.ok(report.ended >= tree.length, `${report.ended} of ${tree.length}`)
  assert.is((await pane.exit()).code, 137)
  await pane.hostEnds()
  assert.equal(
    processesWith(tmpdir()).filter(pid => pid !== process.pid),
    [],
  )
  const kill = (await pane.journal()).find(entry => entry.type === 'kill')
  assert.is(kill?.reason, 'test')
})

test('a program that acts on TERM gets its grace and is not forced', async () => {
  const pane = await PaneUnderTest.sh(
    'trap "echo bye; exit 7" TERM; echo ready; while :; do sleep 0.05; done',
  )
  await pane.says('ready')
  const report = await pane.host.request('kill', {reason: 'test', graceMs: 5000})
  assert.equal([report.remaining, report.forced], [0, 0])
  assert.is((await pane.exit()).code, 7)
  assert.match(await pane.output(), 'bye')
})

test('a stopped program and an interactive shell end within the grace', async () => {
  const shell = await PaneUnderTest.run(['bash', '--norc', '--noprofile', '-i'])
  await shell.entry('its prompt is there', entry => entry.type === 'mode' && entry.set)
  const stopped = await PaneUnderTest.run(['sleep', '1000'])
  process.kill(stopped.pid, 'SIGSTOP')
  for (const pane of [shell, stopped]) {
    const report = await pane.host.request('kill', {reason: 'test', graceMs: 5000})
    assert.equal([report.remaining, report.forced], [0, 0])
  }
})

test('a host that is told to end takes its tree with it', async () => {
  const pane = await PaneUnderTest.sh(`${stubborn}`)
  await pane.says('ready')
  process.kill(pane.hostPid, 'SIGHUP')
  await pane.hostEnds()
  assert.equal(
    processesWith(tmpdir()).filter(pid => pid !== process.pid),
    [],
  )
})

// node-pty#657: masters leak into later children, which is a way out of any cage.
test('a program sees its terminal and nothing else, in the second pane as in the first', async () => {
  for (let round = 0; round < 2; round++) {
    const pane = await PaneUnderTest.run(['sleep', '1000'])
    const descriptors = await seenBy(pane.pid)
    assert.equal(Object.keys(descriptors), ['0', '1', '2'])
    assert.is(new Set(Object.values(descriptors)).size, 1)
    assert.match(descriptors[0] ?? '', /^\/dev\/pts\//)
  }
})

test('what the daemon itself was handed by its starter does not reach the program', async () => {
  const node = join(tmpdir(), 'node-with-a-descriptor')
  writeFileSync(
    node,
    `#!/bin/sh\nexec bash -c 'exec 99</etc/passwd; exec "$0" "$@"' ${process.execPath} "$@"\n`,
    {mode: 0o755},
  )
  const dir = paneDir()
  const ready = await startHost({paneDir: dir, hostEntry, node}).launch(launchOf(dir, ['sleep', '1000']))
  assert.ok(ready.ready)
  const pane = new PaneUnderTest(dir, ready.pid, ready.hostPid)
  assert.equal(Object.keys(await seenBy(pane.pid)), ['0', '1', '2'])
})

/** What `sleep` has; right after the fork it still is a copy of its host. */
async function seenBy(pid: number) {
  await until('it is the program', () => readlinkSync(`/proc/${pid}/exe`).endsWith('sleep'))
  return descriptorsOf(pid)
}

test('without a subreaper nobody claims to know that nothing is left', async () => {
  const dir = paneDir()
  const ready = await startHost({paneDir: dir, hostEntry, env: {PATH: '/nowhere'}}).launch(
    launchOf(dir, ['sleep', '1000']),
  )
  assert.ok(ready.ready)
  const pane = new PaneUnderTest(dir, ready.pid, ready.hostPid)
  await pane.connect()
  const report = await pane.host.request('kill', {reason: 'test', graceMs: 1000})
  assert.equal(report, {ended: 1, remaining: null, forced: 0})
})

test('the program gets the environment and the mask it was promised, and the host none of it', async () => {
  process.env.TERMIC_TASK = 'secret'
  const pane = await PaneUnderTest.sh('env; umask; exec sleep 1000', {
    env: {PATH: process.env.PATH ?? '', MINE: 'yes'},
  })
  delete process.env.TERMIC_TASK
  const mask = process.umask().toString(8).padStart(4, '0')
  await pane.says(`\r\n${mask}\r\n`)
  const names = (await pane.output()).split('\r\n').flatMap(line => /^(\w+)=/.exec(line)?.[1] ?? [])
  assert.equal(names.filter(name => name !== 'PWD' && name !== 'OLDPWD' && name !== '_').sort(), [
    'COLORTERM',
    'MINE',
    'PATH',
    'TERM',
  ])
  assert.not.match(readFileSync(`/proc/${pane.hostPid}/environ`, 'utf8'), /TERMIC|MINE/)
  assert.is(statSync(`${pane.dir}/host.sock`).mode & 0o777, 0o600)
})

test.run()
