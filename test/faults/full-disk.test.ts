import {appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {crashDaemon} from '../fixtures/daemon-process.ts'
import {MountSpace} from '../fixtures/mount-space.ts'
import type {Ran} from '../fixtures/running.ts'
import {type Json, launcher, PrivateTermic} from '../fixtures/termic.ts'

/** A termic whose data directory is a disk of its own. */
async function onSmallDisk(space: MountSpace, termic: PrivateTermic, kilobytes: number) {
  mkdirSync(termic.dataDir)
  await space.disk(termic.dataDir, kilobytes)
  const {path} = await termic.repository()
  const run = (...argv: string[]) => space.run(launcher, argv, {cwd: path, env: termic.env})
  const json = async (...argv: string[]): Promise<Json> => {
    const {exit, stdout, stderr} = await run(...argv, '--json')
    assert.is(exit, 0, `${argv.join(' ')}: ${stdout}${stderr}`)
    return JSON.parse(stdout)
  }
  const filler = space.outside(join(termic.dataDir, 'filler'))
  return {
    run,
    json,
    fill() {
      writeFileSync(filler, '')
      for (const size of [65_536, 4096, 1]) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(size))
        } catch {
          // Full to this size.
        }
      }
    },
    free: () => rmSync(filler),
  }
}

/** One sentence that names the full disk, in both formats, and nothing else. */
function saysFull({exit, stdout, stderr}: Ran, code: number): void {
  assert.is(exit, code, stdout + stderr)
  assert.is(stdout, '')
  assert.match(stderr, /^termic: .*the disk that holds \S+ is full.*free some space and run it again\n$/)
  assert.is(stderr.split('\n').length, 2, stderr)
}

// anomalyco/opencode#7607; can1357/oh-my-pi#8596; agent-of-empires#1207; openclaw#77783: a full disk left a state of no
// bytes, and all sessions were lost.
test('on a full disk every verb answers or says so in a sentence, and all goes on once there is room', async () => {
  await using space = await MountSpace.open()
  if (!space) return
  await using termic = new PrivateTermic()
  const {run, json, fill, free} = await onSmallDisk(space, termic, 2048)
  const {task} = await json('new', 'kept', '--yes', '-p', 'echo 1 >> ran', '--wait')
  fill()
  saysFull(await run('new', 'refused', '-p', 'touch never'), 1)
  saysFull(await run('send', 'kept', '-p', 'echo refused >> ran'), 1)
  const {error} = JSON.parse((await run('send', 'kept', '-p', 'echo refused >> ran', '--json')).stdout)
  assert.is(error.code, 'data.full')
  for (const argv of [
    ['list'],
    ['status', 'kept'],
    ['log', 'kept'],
    ['diff', 'kept'],
    ['path', 'kept'],
    ['agents'],
  ])
    assert.is((await run(...argv)).exit, 0, argv.join(' '))
  assert.is((await run('wait', 'kept')).exit, 0)
  assert.is((await json('list')).tasks.length, 1)

  free()
  const {wait} = await json('send', 'kept', '-p', 'echo 2 >> ran', '--wait')
  assert.is(wait.outcome, 'done')
  assert.is(readFileSync(join(task.path, 'ran'), 'utf8'), '1\n2\n')
  // Its name is free again once the last trace of the refused one could be removed.
  const again = await json('new', 'refused', '-p', 'touch now', '--wait')
  assert.ok(existsSync(join(again.task.path, 'now')))
  assert.not(existsSync(join(again.task.path, 'never')))
  assert.is((await run('quit', '--yes')).exit, 0)
})

test('a daemon that finds a full disk at its start keeps the state, and so do panes that live on meanwhile', async () => {
  await using space = await MountSpace.open()
  if (!space) return
  await using termic = new PrivateTermic()
  const {run, json, fill, free} = await onSmallDisk(space, termic, 2048)
  const {task} = await json('new', 'kept', '--yes', '-p', 'mine=kept', '--wait')
  const queued = await json('send', 'kept', '-p', 'sleep 0; echo $mine >> ran', '--wait')
  assert.is(queued.wait.outcome, 'done')
  await crashDaemon(termic)
  fill()
  const {exit, stdout, stderr} = await run('list')
  // It starts where it can; else it says why it can't.
  if (exit !== 0) saysFull({exit, stdout, stderr, bytes: Buffer.alloc(0)}, 4)
  free()
  const {wait} = await json('send', 'kept', '-p', 'echo $mine >> ran', '--wait')
  assert.is(wait.outcome, 'done')
  assert.is(readFileSync(join(task.path, 'ran'), 'utf8'), 'kept\nkept\n')
  assert.is((await run('quit', '--yes')).exit, 0)
})

test('a prompt that was queued when the disk filled up is delivered once there is room', async () => {
  await using space = await MountSpace.open()
  if (!space) return
  await using termic = new PrivateTermic()
  const {run, json, fill, free} = await onSmallDisk(space, termic, 2048)
  const gate = join(termic.place, 'gate')
  await space.run('mkfifo', [gate])
  const {task} = await json('new', 'one', '--yes', '-p', `cat ${gate}`)
  await json('send', 'one', '-p', 'echo x >> ran')
  fill()
  writeFileSync(gate, '')
  // While it is full nothing can be stored, so the agent's end is not seen; nothing is claimed of it either.
  assert.is((await run('list')).exit, 0)
  free()
  const {outcomes} = await json('wait', 'one')
  assert.is(outcomes[0].outcome, 'done')
  assert.is(readFileSync(join(task.path, 'ran'), 'utf8'), 'x\n')
  assert.is((await run('quit', '--yes')).exit, 0)
})

test.run()
