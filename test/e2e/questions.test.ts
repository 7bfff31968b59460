import {existsSync} from 'node:fs'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import type {Repository} from '../fixtures/repository.ts'
import {PrivateTermic} from '../fixtures/termic.ts'

const termic = new PrivateTermic()
let shop: Repository
test.before(async () => {
  shop = await termic.project()
})
test.after(() => termic.close())

/** A task of its own for a test that wants to archive one; answers its name. */
async function newTask(name: string): Promise<{name: string; path: string}> {
  return (await termic.json(['new', name], {cwd: shop.path})).task
}

async function names(): Promise<string[]> {
  const {tasks} = await termic.json(['list'])
  return tasks.map((task: {name: string}) => task.name)
}

for (const [what, path, keys] of [
  ['y', 'asked-1', 'y\r'],
  ['yes in any case and with spaces', 'asked-2', '  YeS \r'],
] as const) {
  test(`an unregistered repository is registered after ${what}`, async () => {
    const repository = await termic.repository({path})
    const terminal = termic.inTerminal(['new', 'one'], {cwd: repository.path})
    await terminal.shows(/asked-\d+ is not a termic project yet\. Register it\? \[y\/N\] $/)
    terminal.type(keys)
    assert.is(await terminal.ended, 0)
    assert.match(terminal.text, /\ncreated asked-\d+\/one\n/)
  })
}

for (const [what, task, keys] of [
  ['n', 'kept-1', 'n\r'],
  ['an empty line', 'kept-2', '\r'],
  ['anything else', 'kept-3', 'yesterday\r'],
  ['the end of input', 'kept-4', '\x04'],
] as const) {
  test(`${what} declines: exit 1 and nothing done`, async () => {
    const {name, path} = await newTask(task)
    const terminal = termic.inTerminal(['archive', name])
    await terminal.shows(
      /archive shop\/kept-\d+ \(1 live terminal, ended first; branch kept-\d+ is kept\)\? \[y\/N\] $/,
    )
    terminal.type(keys)
    assert.is(await terminal.ended, 1)
    assert.match(terminal.text, /\ntermic: nothing was done, since the question was not answered with yes\n$/)
    assert.ok(existsSync(path))
    assert.ok((await names()).includes(name))
  })
}

test('Ctrl-C at the question ends the client and does nothing', async () => {
  const {name, path} = await newTask('interrupted')
  const terminal = termic.inTerminal(['archive', name])
  await terminal.shows(/\[y\/N\] $/)
  terminal.type('\x03')
  assert.is(await terminal.ended, 130)
  assert.ok(existsSync(path))
  assert.ok((await names()).includes(name))
})

test('the answer comes from the terminal alone: stdin is not read and stdout not written to', async () => {
  const {name} = await newTask('redirected')
  const line = `{ printf 'y\\ny\\n'; } | { "$0" archive ${name}; cat >left; } >out 2>err`
  const terminal = termic.inTerminal(['/bin/sh', '-c', line, 'termic'], {program: true, cwd: termic.place})
  await terminal.shows(/archive shop\/redirected .*\[y\/N\] $/)
  terminal.type('n\r')
  await terminal.ended
  const read = (file: string) => termic.shell(`cat ${file}`, {cwd: termic.place})
  assert.is((await read('out')).stdout, '')
  assert.is((await read('left')).stdout, 'y\ny\n')
  assert.match((await read('err')).stdout, /^termic: nothing was done/)
  assert.ok((await names()).includes(name))
})

test('with --json a declined question is one object on stdout', async () => {
  const {name} = await newTask('declined')
  const terminal = termic.inTerminal(['/bin/sh', '-c', `"$0" archive ${name} --json >out`, 'termic'], {
    program: true,
    cwd: termic.place,
  })
  await terminal.shows(/\[y\/N\] $/)
  terminal.type('n\r')
  assert.is(await terminal.ended, 1)
  const {stdout} = await termic.shell('cat out', {cwd: termic.place})
  assert.is(JSON.parse(stdout).error.code, 'confirm.declined')
  assert.is(stdout.indexOf('\n'), stdout.length - 1)
})

test('without a terminal archive needs --yes and says so', async () => {
  const {name, path} = await newTask('scripted')
  const {exit, stdout, stderr} = await termic.run(['archive', name], {stdin: 'y\n'})
  assert.is(exit, 1)
  assert.is(stdout, '')
  assert.match(
    stderr,
    /^termic: this needs a yes \(archive .*\) and there is no terminal to ask on; pass --yes/,
  )
  assert.ok(existsSync(path))
  const {error} = JSON.parse((await termic.run(['archive', name, '--json'])).stdout)
  assert.is(error.code, 'confirm.no-terminal')
  assert.is((await termic.run(['archive', name, '-y'])).exit, 0)
  assert.not(existsSync(path))
})

test('without a terminal an unregistered repository is refused, and --yes registers it', async () => {
  const {path} = await termic.repository({path: 'unknown repository'})
  const refused = await termic.run(['new', 'one'], {cwd: path, stdin: 'y\n'})
  assert.is(refused.exit, 1)
  assert.is(refused.stdout, '')
  assert.is(
    refused.stderr,
    `termic: ${path} is not a termic project yet; \`termic project add\` in it adds it, or pass --yes\n`,
  )
  const {error} = JSON.parse((await termic.run(['new', 'one', '--json'], {cwd: path})).stdout)
  assert.is(error.code, 'project.unregistered')
  assert.is(error.data.root, path)

  assert.is((await termic.run(['new', 'one', '--yes'], {cwd: path})).exit, 0)
  assert.is((await termic.run(['new', 'two'], {cwd: path})).exit, 0)
})

test('project remove asks, and forgets nothing while it has tasks', async () => {
  const {path} = await termic.project({path: 'forgotten'})
  const refused = await termic.run(['project', 'remove', 'forgotten'])
  assert.is(refused.exit, 1)
  assert.match(refused.stderr, /pass --yes/)
  const terminal = termic.inTerminal(['project', 'remove', 'forgotten'])
  await terminal.shows(/forget project forgotten \(.*\)\? \[y\/N\] $/)
  terminal.type('y\r')
  assert.is(await terminal.ended, 0)
  assert.match(terminal.text, /forgot project forgotten; .* was not touched\n$/)
  assert.ok(existsSync(path))
})

test('quit asks when terminals would end', async () => {
  await newTask('running')
  const refused = await termic.run(['quit'])
  assert.is(refused.exit, 1)
  assert.match(refused.stderr, /^termic: this needs a yes \(end \d+ terminals .*\).*pass --yes to agree\n$/)
  const terminal = termic.inTerminal(['quit'])
  await terminal.shows(/end \d+ terminals \(.*running.*; 0 working\) and the daemon\? \[y\/N\] $/)
  terminal.type('no\r')
  assert.is(await terminal.ended, 1)
  assert.match(terminal.text, /\ntermic: nothing was done/)
  assert.ok((await names()).includes('running'))
})

test.run()
