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

const sourceEntry = fileURLToPath(new URL('../src/host.ts', import.meta.url))
const floodBytes = 96 * 1024 * 1024
const rounds = 5
const fastRuns = 1000
const hostRuns = 100
const flood = `stty raw -echo; echo; read go; yes 'a line of build output, as long as most are' | head -c ${floodBytes}; read end`
const env = {PATH: process.env.PATH ?? '/usr/bin:/bin'}

/** Prints what spec 30 §3 promises of a pane: `name: figure (bound)`. */
export async function run(hostEntry = sourceEntry): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'termic-bench-'))
  try {
    let lost = 0
    for (let index = 0; index < fastRuns; index++) lost += await lostByReader(1 + ((index * 7919) % 200_000))
    console.log(`bytes lost by ${fastRuns} fast commands: ${lost} (0)`)
    let lostInLog = 0
    for (let index = 0; index < hostRuns; index++) {
      lostInLog += await lostByHost(place, index, hostEntry)
    }
    console.log(`bytes lost by ${hostRuns} fast commands through host and log: ${lostInLog} (0)`)
    const bare: number[] = []
    const hosted: number[] = []
    let resident = 0
    for (let round = 0; round < rounds; round++) {
      bare.push(await bareFloodMs())
      const {ms, residentMb} = await hostedFloodMs(place, `flood-${round}`, hostEntry)
      hosted.push(ms)
      resident = Math.max(resident, residentMb)
    }
    const speed = (ms: number[]): number => floodBytes / 1000 / median(ms)
    console.log(`flood, bare reader: ${speed(bare).toFixed(0)} MB/s`)
    console.log(`flood, through host to log: ${speed(hosted).toFixed(0)} MB/s`)
    console.log(
      `flood through host to log, against a bare reader: ${(median(bare) / median(hosted)).toFixed(2)} (>= 0.8)`,
    )
    console.log(`host's memory in a flood: ${resident.toFixed(0)} MB resident (<= 110)`)
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

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
