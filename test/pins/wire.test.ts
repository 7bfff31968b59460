import {test} from 'uvu'
import * as assert from 'uvu/assert'
import {dataDir, socketPathLimitBytes} from '../../src/core/daemon/data-dir.ts'
import {frame, framingVersion, silenceMs, toClient, toDaemon} from '../../src/core/wire/exec-frames.ts'
import {rpcCode} from '../../src/presentations/socket/rpc-code.ts'

test('frame types of the exec framing, client to daemon', () => {
  assert.equal(toDaemon, {
    hello: 'H',
    argv: 'A',
    cwd: 'D',
    env: 'E',
    columns: 'C',
    terminals: 'T',
    run: 'R',
    stdin: 'I',
    stdinEnd: 'Z',
    answer: 'Y',
  })
})

test('frame types of the exec framing, daemon to client', () => {
  assert.equal(toClient, {
    stdout: 'o',
    result: 'r',
    stderr: 'e',
    question: 'q',
    heartbeat: 'h',
    resume: 's',
    lastWords: 'l',
    replaced: 'n',
    older: 'v',
    exit: 'x',
  })
})

test('no frame type is the first byte of NDJSON', () => {
  const types: string[] = [...Object.values(toDaemon), ...Object.values(toClient)]
  assert.not(types.includes('{'))
  assert.ok(types.every(type => type.length === 1))
})

test('a frame is its type, its length in 32 bits with the high byte first, and its bytes', () => {
  assert.equal([...frame('o', 'hé')], [0x6f, 0, 0, 0, 3, 0x68, 0xc3, 0xa9])
  assert.equal([...frame('R')], [0x52, 0, 0, 0, 0])
})

test('version of the exec framing and silence after which the daemon counts as lost', () => {
  assert.is(framingVersion, '1')
  assert.is(silenceMs, 30_000)
})

test('numbers of JSON-RPC errors', () => {
  assert.equal(rpcCode, {parse: -32700, request: -32600, method: -32601, params: -32602, termic: -32000})
})

test('files of the data directory', () => {
  assert.equal(dataDir({TERMIC_DATA_DIR: '/data'}), {
    root: '/data',
    stateDb: '/data/state.db',
    settings: '/data/settings.json',
    panes: '/data/panes',
    log: '/data/daemon.log',
    lock: '/data/daemon.lock',
    socket: '/data/daemon.sock',
    cliToken: '/data/cli-token',
    compileCache: '/data/compile-cache',
  })
  assert.is(socketPathLimitBytes, 103)
})

test('where the data directory is when nothing names it', () => {
  assert.is(dataDir({XDG_DATA_HOME: '/xdg', HOME: '/home/me'}, 'linux').root, '/xdg/termic')
  assert.is(dataDir({HOME: '/home/me'}, 'linux').root, '/home/me/.local/share/termic')
  assert.is(dataDir({HOME: '/Users/me'}, 'darwin').root, '/Users/me/Library/Application Support/termic')
})

test.run()
