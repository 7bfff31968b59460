import {closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync, writeSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {ReadStream} from 'node:tty'
import {fileURLToPath} from 'node:url'
import {adopt} from '../src/core/pane/adopt.ts'
import {forkPty} from '../src/core/pane/host/pty.ts'
import {TerminalReader} from '../src/core/pane/host/terminal-reader.ts'
import {readPaneRecord} from '../src/core/pane/pane-record.ts'
import {startHost} from '../src/core/pane/spawn-host.ts'
import {type Figure, inTurn, median} from './figure.ts'

const sourceEntry = fileURLToPath(new URL('../src/host.ts', import.meta.url))
const floodBytes = 96 * 1024 * 1024
const rounds = 5
const fastRuns = 1000
const hostRuns = 100
const flood = `stty raw -echo; echo; read go; yes 'a line of build output, as long as most are' | head -c ${floodBytes}; read end`
const env = {PATH: process.env.PATH ?? '/usr/bin:/bin'}

/** What a pane's host promises of the bytes that go through it. */
export async function run(hostEntry = sourceEntry): Promise<Figure[]> {
  const place = mkdtempSync(join(tmpdir(), 'bench-'))
  try {
    let lost = 0
    for (let index = 0; index < fastRuns; index++) lost += await lostByReader(1 + ((index * 7919) % 200_000))
    let lostInLog = 0
    for (let index = 0; index < hostRuns; index++) lostInLog += await lostByHost(place, index, hostEntry)
    let resident = 0
    const [bare = [], hosted = []] = await inTurn(rounds, [
      () => bareFloodMs(),
      async round => {
        const {ms, residentMb} = await hostedFloodMs(place, `flood-${round}`, hostEntry)
        resident = Math.max(resident, residentMb)
        return ms
      },
    ])
    const [floor, ours] = [median(bare), median(hosted)]
    const speed = (ms: number): string => `${(floodBytes / 1000 / ms).toFixed(0)} MB/s`
    const none = (name: string, bytes: number): Figure => ({
      ...{name, measured: `${bytes} bytes`, floor: '0', value: bytes, unit: 'bytes', bound: {atMost: 0}},
    })
    return [
      none(`lost by ${fastRuns.toLocaleString('en')} commands that end at once`, lost),
      none(`the same through host and log, ${hostRuns} commands`, lostInLog),
      {
        ...{name: 'flood through the host to its log', measured: speed(ours)},
        ...{floor: `${speed(floor)}, a bare reader`, value: floor / ours, unit: '×', bound: {atLeast: 0.8}},
      },
      {
        ...{name: 'memory of the host in that flood', measured: `${resident.toFixed(0)} MB`, floor: ''},
        ...{value: resident, unit: 'MB', bound: {atMost: 110}},
      },
    ]
  } finally {
    rmSync(place, {recursive: true, force: true})
  }
}

function lostByReader(bytes: number): Promise<number> {
  return new Promise(resolve => {
    let total = 0
    const argv = ['head', '-c', String(bytes), '/dev/zero']
    const pty = forkPty({argv, env, cwd: '/', columns: 80, rows: 24, onExit: () => reader.drain()})
    const reader = new TerminalReader(pty, piece => {
      total += piece.length
    })
    void reader.released.then(() => resolve(bytes - total))
  })
}

async function lostByHost(place: string, index: number, hostEntry: string): Promise<number> {
  const dir = mkdtempSync(join(place, 'p-'))
  const bytes = 1 + ((index * 7919) % 200_000)
  const argv = ['head', '-c', String(bytes), '/dev/zero']
  await startHost({paneDir: dir, hostEntry}).launch({
    dir,
    pane: 1,
    argv,
    cwd: '/',
    env,
    columns: 80,
    rows: 24,
  })
  for (;;) {
    const adoption = await adopt(dir)
    if ('exited' in adoption) return bytes - adoption.exited.exited.offset
    if ('lost' in adoption) return bytes
    const {alive} = adoption
    await new Promise<void>(resolve => {
      alive.onClose(resolve)
      alive.request('watch', {afterSeq: 0}).catch(() => {})
    })
  }
}

/** The addon, a stream and nothing else: what the kernel and Node make possible. */
async function bareFloodMs(): Promise<number> {
  const ended = Promise.withResolvers<void>()
  const pty = forkPty({
    argv: ['sh', '-c', flood],
    env,
    cwd: '/',
    columns: 80,
    rows: 24,
    onExit: () => ended.resolve(),
  })
  const slave = openSync(pty.slave, constants.O_RDWR | constants.O_NOCTTY)
  const stream = new ReadStream(pty.fd)
  stream.on('error', () => {})
  let total = 0
  let startedAt = 0
  const ms = await new Promise<number>(resolve => {
    stream.on('data', piece => {
      if (startedAt === 0) {
        startedAt = performance.now()
        writeSync(pty.fd, '\n')
      } else total += piece.length
      if (total >= floodBytes) resolve(performance.now() - startedAt)
    })
  })
  writeSync(pty.fd, '\n')
  await ended.promise
  closeSync(slave)
  stream.destroy()
  return ms
}

async function hostedFloodMs(
  place: string,
  name: string,
  hostEntry: string,
): Promise<{ms: number; residentMb: number}> {
  const dir = mkdtempSync(join(place, `${name}-`))
  const argv = ['sh', '-c', flood]
  await startHost({paneDir: dir, hostEntry}).launch({
    dir,
    pane: 1,
    argv,
    cwd: '/',
    env,
    columns: 80,
    rows: 24,
  })
  const adoption = await adopt(dir)
  if (!('alive' in adoption)) throw new Error('the host did not come up')
  const {alive} = adoption
  const end = (offset: number): Promise<void> =>
    new Promise(resolve => {
      const look = (endOffset: number): void => {
        if (endOffset >= offset) resolve()
      }
      alive.onGrown(look)
      void alive.request('follow', {}).then(({endOffset}) => look(endOffset))
    })
  await end(1)
  const startedAt = performance.now()
  void alive.request('input', {inputId: 'go', data: 'Cg=='})
  await end(1 + floodBytes)
  const ms = performance.now() - startedAt
  const hostPid = readPaneRecord(dir)?.hostPid
  const status = readFileSync(`/proc/${hostPid}/status`, 'latin1')
  const closed = new Promise<void>(resolve => alive.onClose(resolve))
  await alive.request('kill', {reason: 'measured', graceMs: 0})
  await closed
  rmSync(dir, {recursive: true, force: true})
  return {ms, residentMb: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024}
}
