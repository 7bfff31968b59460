import {execFileSync} from 'node:child_process'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {privateDir} from '../../fixtures/private-dir.ts'
import {startProgram} from '../../fixtures/start-program.ts'

async function onSmallDisk(scenario: string): Promise<Record<string, unknown>> {
  const program = startProgram(
    'small-disk.ts',
    [privateDir(), scenario],
    ['unshare', '-m', '--propagation', 'private'],
  )
  try {
    return JSON.parse(await program.hear())
  } finally {
    await program.kill()
  }
}

function canMount(): boolean {
  try {
    execFileSync(
      'unshare',
      ['-m', '--propagation', 'private', 'mount', '-t', 'tmpfs', 'tmpfs', privateDir()],
      {stdio: 'ignore'},
    )
    return true
  } catch {
    return false
  }
}

const check = canMount() ? test : test.skip
if (check === test.skip) console.log('SKIPPED: full and read-only disks need the right to mount (root)')

// anomalyco/opencode#7607, Soul-Brews-Studio/maw-js#2012: a full disk left a state of 0 bytes.
check('a full disk refuses in a sentence and keeps every byte of the state', async () => {
  const {openWhileFull, ...said} = await onSmallDisk('full')
  assert.equal(said, {
    send: 'data.full',
    sendInTransaction: 'data.full',
    readable: [1, 'one'],
    set: 'data.full',
    agent: 'before',
    mint: 'data.full',
    token: true,
    log: null,
    health: 'ok',
    afterwards: 1,
  })
  // Whether the index of the write-ahead log finds room depends on the last page that was left.
  assert.ok(openWhileFull === null || openWhileFull === 'data.full', String(openWhileFull))
})

check('a read-only disk is a sentence at every door, and what is there can be read', async () => {
  assert.equal(await onSmallDisk('read-only'), {
    prepare: 'data.unusable',
    lock: 'data.unusable',
    open: 'data.read-only',
    set: 'data.read-only',
    agent: 'before',
    mint: 'data.unusable',
    log: null,
  })
})

test.run()
