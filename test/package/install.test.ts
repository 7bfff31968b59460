import {existsSync, readdirSync, symlinkSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {findProgram} from '../../src/core/pane/host/program.ts'
import {privateDir} from '../fixtures/private-dir.ts'
import {start} from '../fixtures/running.ts'
import {PrivateTermic} from '../fixtures/termic.ts'
import {installGlobally, nodeOfVersion, pack} from './packed.ts'

/** The least that package.json's `engines` asks for. */
const oldestNode = '22.15.0'

let prefix: string
let launcher: string

test.before(async () => {
  const {tarball} = await pack()
  prefix = await installGlobally(tarball)
  launcher = join(prefix, 'bin/termic')
})

test('an installed termic brings the terminal’s addon for this machine and no other package', () => {
  const modules = join(prefix, 'lib/node_modules')
  assert.equal(readdirSync(modules), ['termic'])
  const own = join(modules, 'termic/node_modules')
  const {platform, arch} = process
  assert.equal(
    readdirSync(own).filter(name => !name.startsWith('.')),
    ['@lydell'],
  )
  assert.equal(readdirSync(join(own, '@lydell')).sort(), ['node-pty', `node-pty-${platform}-${arch}`])
})

test('it does the main job with the Node of the checkout', () => mainJob(dirname(process.execPath)))

const hasOldest = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
if (!hasOldest) console.log(`SKIPPED: there is no package with Node ${oldestNode} for this machine`)
const withOldest = hasOldest ? test : test.skip
withOldest(`it does the main job with Node ${oldestNode}`, async () => {
  await mainJob(await nodeOfVersion(oldestNode))
})

const old = await olderNode()
if (!old) console.log('SKIPPED: this machine has no Node older than 22.15')
const withOld = old ? test : test.skip
withOld('an older Node is told in one sentence', async () => {
  const {exit, stdout, stderr} = await onPath(dirname(old?.path ?? ''), ['list'])
  assert.is(exit, 1)
  assert.is(stdout, '')
  assert.is(
    stderr,
    `termic: this is Node.js ${old?.version} and termic needs 22.15 or newer; install it and run this again\n`,
  )
})

test('a machine without Node is told in one sentence', async () => {
  // `readlink` is all that the launcher runs besides Node.
  const tools = privateDir()
  symlinkSync(findProgram('readlink', {PATH: process.env.PATH ?? ''}, '/') ?? '', join(tools, 'readlink'))
  const {exit, stdout, stderr} = await onPath(tools, ['list'])
  assert.is(exit, 1)
  assert.is(stdout, '')
  assert.is(
    stderr,
    'termic: Node.js was not found in PATH; install Node.js 22.15 or newer and run this again\n',
  )
})

test.run()

async function mainJob(nodeDir: string): Promise<void> {
  const PATH = [nodeDir, dirname(launcher), '/usr/local/bin:/usr/bin:/bin'].join(':')
  const termic = new PrivateTermic({env: {PATH}, from: launcher})
  try {
    const {path: cwd} = await termic.repository()
    const made = await termic.run(['new', 'fix', '-p', 'echo made > made.txt', '--yes', '--wait'], {cwd})
    assert.is(made.exit, 0, made.stderr)
    assert.is(made.stderr, '')
    assert.ok(existsSync(join((await termic.run(['path', 'fix'])).stdout.trim(), 'made.txt')))
    const {tasks} = await termic.json(['list'])
    assert.equal(
      tasks.map(({name, state}: {name: string; state: {name: string}}) => [name, state.name]),
      [['fix', 'done']],
    )
    assert.match((await termic.run(['diff', 'fix', '--full'])).stdout, /^\+made$/m)
    assert.match((await termic.run(['--help'])).stdout, /^ {2}new /m)
  } finally {
    await termic.close()
  }
}

function onPath(dir: string, argv: string[]) {
  return start(launcher, argv, {env: {PATH: dir, HOME: privateDir()}}).ended
}

/** A Node of this machine that termic does not run on. */
async function olderNode(): Promise<{path: string; version: string} | undefined> {
  for (const dir of ['/usr/bin', '/usr/local/bin', ...(process.env.PATH ?? '').split(':')]) {
    const path = join(dir, 'node')
    if (!existsSync(path)) continue
    const version = (await start(path, ['-p', 'process.versions.node']).ended).stdout.trim()
    const [major = 0, minor = 0] = version.split('.').map(Number)
    if (major < 22 || (major === 22 && minor < 15)) return {path, version}
  }
  return undefined
}
