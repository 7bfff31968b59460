import {chmodSync, chownSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {dataDir, isOwnSocket, isSocketPathTooLong, nowhere} from '../../../src/core/daemon/data-dir.ts'
import {checkSocketPath, prepareDataDir} from '../../../src/core/daemon/prepare-data-dir.ts'
import {privateDir} from '../../fixtures/private-dir.ts'
import {codeOf, thrown} from '../../fixtures/thrown.ts'

const at = (root: string) => dataDir({TERMIC_DATA_DIR: root})
const modeOf = (path: string) => statSync(path).mode & 0o777

test('TERMIC_DATA_DIR comes first, then XDG_DATA_HOME, then the place of the system', () => {
  const root = (env: Record<string, string>, platform: NodeJS.Platform = 'linux') =>
    dataDir(env, platform, '/home/ann').root
  assert.is(root({TERMIC_DATA_DIR: '/a', XDG_DATA_HOME: '/b'}), '/a')
  assert.is(root({XDG_DATA_HOME: '/b'}, 'darwin'), '/b/termic')
  assert.is(root({}), '/home/ann/.local/share/termic')
  assert.is(root({}, 'darwin'), '/home/ann/Library/Application Support/termic')
})

test('a relative TERMIC_DATA_DIR becomes absolute, a relative XDG_DATA_HOME is ignored', () => {
  assert.is(dataDir({TERMIC_DATA_DIR: 'here'}).root, join(process.cwd(), 'here'))
  assert.is(dataDir({XDG_DATA_HOME: 'share'}, 'linux', '/home/ann').root, '/home/ann/.local/share/termic')
})

test('TERMIC_SOCKET moves the socket alone', () => {
  const paths = dataDir({TERMIC_DATA_DIR: '/a', TERMIC_SOCKET: '/run/t.sock'})
  assert.equal([paths.socket, paths.cliToken, paths.lock], ['/run/t.sock', '/a/cli-token', '/a/daemon.lock'])
  assert.not(isOwnSocket(paths))
  assert.ok(isOwnSocket(at('/a')))
})

test('without HOME the home of the user database counts', () => {
  assert.match(dataDir({}, 'linux').root, /^\/.*\/\.local\/share\/termic$/)
})

test('without any home nothing can be prepared, and the sentence says what to set', () => {
  const paths = dataDir({}, 'linux', '')
  assert.is(paths.root, nowhere)
  assert.match(thrown(() => prepareDataDir(paths)).message, /HOME is not set; set HOME or TERMIC_DATA_DIR/)
})

test('the client loads nothing but node:path for this', () => {
  const source = readFileSync(new URL('../../../src/core/daemon/data-dir.ts', import.meta.url), 'utf8')
  assert.equal(
    [...source.matchAll(/^import .* from '(.*)'$/gm)].map(match => match[1]),
    ['node:path'],
  )
})

test('the data directory is made private, with its parents', () => {
  const paths = at(join(privateDir(), 'one/two'))
  prepareDataDir(paths)
  assert.is(modeOf(paths.root), 0o700)
  assert.is(modeOf(paths.panes), 0o700)
})

test('a directory that others may enter is closed to them', () => {
  const paths = at(privateDir())
  chmodSync(paths.root, 0o777)
  prepareDataDir(paths)
  assert.is(modeOf(paths.root), 0o700)
})

test('a link to a directory of ours is followed', () => {
  const dir = privateDir()
  mkdirSync(join(dir, 'real'))
  symlinkSync('real', join(dir, 'link'))
  prepareDataDir(at(join(dir, 'link')))
  assert.is(modeOf(join(dir, 'real')), 0o700)
})

test('a file in its place is named', () => {
  const dir = privateDir()
  writeFileSync(join(dir, 'file'), '')
  assert.match(
    thrown(() => prepareDataDir(at(join(dir, 'file')))).message,
    /file cannot be used: it is not a directory/,
  )
  assert.match(
    thrown(() => prepareDataDir(at(join(dir, 'file/below')))).message,
    /a part of the path is not a directory/,
  )
})

if (process.getuid?.() === 0) {
  test('a directory of another user is left alone, even by root', () => {
    const paths = at(privateDir())
    chownSync(paths.root, 65534, 65534)
    chmodSync(paths.root, 0o755)
    assert.match(thrown(() => prepareDataDir(paths)).message, /belongs to another user \(uid 65534/)
    assert.is(modeOf(paths.root), 0o755)
  })
} else {
  test('a directory that cannot be written is a sentence', () => {
    const dir = privateDir()
    chmodSync(dir, 0o500)
    assert.match(thrown(() => prepareDataDir(at(join(dir, 'below')))).message, /permission denied/)
  })
}

// Measured: Node binds a longer path under its first 107 bytes, without a word.
test('a socket path over 103 bytes is refused, counted in bytes', () => {
  checkSocketPath('/'.padEnd(103, 'x'))
  assert.is(
    codeOf(() => checkSocketPath('/'.padEnd(104, 'x'))),
    'socket.path-too-long',
  )
  assert.ok(isSocketPathTooLong(`/${'é'.repeat(52)}`))
  assert.match(
    thrown(() => checkSocketPath(`/${'é'.repeat(52)}`)).message,
    /is 105 bytes long and the limit is 103/,
  )
})

test.run()
