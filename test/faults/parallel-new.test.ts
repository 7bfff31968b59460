import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {type Json, PrivateTermic} from '../fixtures/termic.ts'

// anthropics/claude-code#34645, #47266; berenddeboer/ready-for-agent#614; atomantic/PortOS#2193: of 16 parallel `git worktree
// add` from a remote-tracking base 10 fail on `could not lock config file` and leave their branches.
test('16 parallel new in one repository, from a remote-tracking base, make 16 whole tasks', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project({origin: true})
  const names = Array.from({length: 16}, (_, index) => `t${String(index).padStart(2, '0')}`)
  const made = await Promise.all(
    names.map(name =>
      termic.run(['new', name, '--base', 'origin/main', '-p', `echo ${name} > mine`, '--json'], {
        cwd: repository.path,
      }),
    ),
  )
  for (const {exit, stdout, stderr} of made) assert.is(exit, 0, stdout + stderr)
  assert.is((await termic.run(['wait', ...names])).exit, 0)
  const {tasks} = await termic.json(['list'])
  assert.equal(
    tasks.map(({name}: Json) => name),
    names,
  )
  for (const {name, path, branch} of tasks as Json[]) {
    assert.is(readFileSync(join(path, 'mine'), 'utf8'), `${name}\n`)
    assert.is(await repository.git('rev-parse', branch), await repository.git('rev-parse', 'origin/main'))
  }
  assert.is(
    await repository.git('config', '--get-regexp', '^branch\\.t').catch(() => 'none'),
    'none',
    'no tracking',
  )
  assert.not(existsSync(join(repository.path, '.git/config.lock')))
})

test('of parallel new with one name exactly one succeeds, and the others say that it is taken', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  const argv = ['new', 'same', '-p', 'echo x >> ran', '--json']
  const made = await Promise.all(Array.from({length: 6}, () => termic.run(argv, {cwd: repository.path})))
  assert.equal(made.map(({exit}) => exit).sort(), [0, 1, 1, 1, 1, 1])
  for (const {exit, stdout} of made)
    if (exit !== 0) assert.is(JSON.parse(stdout).error.code, 'task.name-taken', stdout)
  const {tasks} = await termic.json(['list'])
  assert.is(tasks.length, 1)
  assert.is((await termic.run(['wait', 'same'])).exit, 0)
  assert.is(readFileSync(join(tasks[0].path, 'ran'), 'utf8'), 'x\n')
})

test('parallel new without a name, of one prompt, make tasks of different names', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  const made = await Promise.all(
    Array.from({length: 4}, () => termic.json(['new', '-p', 'true'], {cwd: repository.path})),
  )
  assert.is(new Set(made.map(({task}) => task.name)).size, 4)
})

test('parallel new with one delivery id make one task', async () => {
  await using termic = new PrivateTermic()
  const repository = await termic.project()
  const argv = ['new', 'once', '-p', 'echo x >> ran', '--delivery-id', 'mine', '--json', '--wait']
  const made = await Promise.all(Array.from({length: 4}, () => termic.run(argv, {cwd: repository.path})))
  const done = made.filter(({exit}) => exit === 0).map(({stdout}) => JSON.parse(stdout).task.id)
  assert.is(new Set(done).size, 1)
  const again = await termic.json(
    argv.filter(word => word !== '--json'),
    {cwd: repository.path},
  )
  assert.is(again.task.id, done[0])
  assert.is(readFileSync(join(again.task.path, 'ran'), 'utf8'), 'x\n')
})

test.run()
