import type {Socket} from 'node:net'
import {sameToken} from '../../core/daemon/token.ts'
import {fail} from '../../core/errors.ts'
import {
  FrameReader,
  frame,
  framingVersion,
  silenceMs,
  toClient,
  toDaemon,
  unpackList,
} from '../../core/wire/exec-frames.ts'
import type {Service} from '../service.ts'
import type {ClientSide} from './client-side.ts'
import {runArgv} from './run-argv.ts'

/** stdin of a prompt: more than this is refused, never cut. */
const maxStdinBytes = 8 * 1024 * 1024

/** Well below what a frame may hold. */
const pieceBytes = 1024 * 1024

interface Opening {
  version: string
  token: string
  argv: string[]
  cwd: string
  env: Record<string, string>
  columns: number
  terminals: string
}

/** Serves one call in the exec framing; `first` is what was read already. Ends with the connection. */
export function serveExec(service: Service, socket: Socket, first: Buffer): void {
  const reader = new FrameReader()
  const opening: Partial<Opening> = {}
  const gone = new AbortController()
  const stdin = new Inbox()
  const answers: Array<(answer: string) => void> = []
  const heartbeat = setInterval(() => socket.write(frame(toClient.heartbeat)), silenceMs / 3)

  let begun = false

  const saysNoMore = () => {
    stdin.cutOff()
    for (const answer of answers.splice(0)) answer('none')
  }
  const close = () => {
    clearInterval(heartbeat)
    gone.abort()
    saysNoMore()
  }
  socket.on('close', close)
  socket.on('error', close)
  // The client is gone, or closed only its own way: writing to one that is gone fails, and 'close' follows.
  socket.on('end', () => {
    saysNoMore()
    if (begun) socket.write(frame(toClient.heartbeat))
    else socket.end()
  })
  const onData = (chunk: Buffer) => {
    try {
      for (const {type, payload} of reader.read(chunk)) {
        if (type === toDaemon.run && !begun) {
          begun = true
          void run(service, socket, opening as Opening, {gone, stdin, answers})
        } else if (type === toDaemon.stdin) stdin.push(payload)
        else if (type === toDaemon.stdinEnd) stdin.end()
        else if (type === toDaemon.answer) answers.shift()?.(payload.toString())
        else readOpening(opening, type, payload)
      }
    } catch (error) {
      // A frame that is too large: nothing after it can be read.
      service.log.warn(`exec framing: ${(error as Error).message}`)
      socket.destroy()
    }
  }
  socket.on('data', onData)
  onData(first)
}

function readOpening(opening: Partial<Opening>, type: string, payload: Buffer): void {
  if (type === toDaemon.hello) {
    const [framing, version = '', token = ''] = unpackList(payload)
    Object.assign(opening, {version: framing === framingVersion ? version : `framing ${framing}`, token})
  } else if (type === toDaemon.argv) opening.argv = unpackList(payload)
  else if (type === toDaemon.cwd) opening.cwd = payload.toString()
  else if (type === toDaemon.env) opening.env = Object.fromEntries(unpackList(payload).map(splitAssignment))
  else if (type === toDaemon.columns) opening.columns = Number(payload.toString())
  else if (type === toDaemon.terminals) opening.terminals = payload.toString()
}

function splitAssignment(line: string): [string, string] {
  const at = line.indexOf('=')
  return [line.slice(0, at), line.slice(at + 1)]
}

async function run(
  service: Service,
  socket: Socket,
  opening: Opening,
  {gone, stdin, answers}: {gone: AbortController; stdin: Inbox; answers: Array<(answer: string) => void>},
): Promise<void> {
  const send = (type: string, payload?: Uint8Array | string): Promise<void> => {
    if (socket.destroyed || socket.writableEnded) return Promise.resolve()
    if (socket.write(frame(type, payload))) return Promise.resolve()
    return new Promise(resolve => {
      const done = () => {
        socket.off('drain', done)
        socket.off('close', done)
        resolve()
      }
      socket.on('drain', done)
      socket.on('close', done)
    })
  }
  const sendAll = async (type: string, content: Uint8Array | string) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    for (let at = 0; at < bytes.length; at += pieceBytes)
      await send(type, bytes.subarray(at, at + pieceBytes))
  }
  const end = (exit: number) => socket.end(frame(toClient.exit, String(exit)))
  // A caller that has gone by the time it is heard (this process was stopped meanwhile) was told that it was lost. Its
  // end is read one turn after its last words.
  for (let turn = 0; turn < 2; turn++) await new Promise(resolve => setImmediate(resolve))
  if (socket.readableEnded && !(await isThere(socket))) return

  const {version = '', token = '', argv = [], cwd = '', env = {}, columns = 80, terminals = '000'} = opening
  const client: ClientSide = {
    argv,
    shell: {cwd, env},
    columns: columns > 0 ? columns : 80,
    isTerminal: {stdin: terminals[0] === '1', stdout: terminals[1] === '1', stderr: terminals[2] === '1'},
    signal: gone.signal,
    version,
    authorised: sameToken(token, service.token),
    stdout: text => sendAll(toClient.stdout, text),
    result: text => sendAll(toClient.result, text),
    stderr: text => sendAll(toClient.stderr, text),
    resume: argv => send(toClient.resume, argv.map(word => `${word}\0`).join('')),
    lastWords: (stream, text) => send(toClient.lastWords, `${stream}\0${text}`),
    tellOlder: async () => void socket.end(frame(toClient.older, service.version)),
    question: (kind, text = '') => send(toClient.question, `${kind}\0${text}`),
    readStdin: () => stdin.all(),
    confirm: text => {
      const answered = new Promise<string>(resolve => answers.push(resolve))
      return send(toClient.question, `confirm\0${text}`).then(() => answered)
    },
  }
  const exit = await runArgv(service, client)
  // The connection ends once the lock is free, which tells the client to turn to the next daemon.
  if (exit === null) await send(toClient.replaced)
  else end(exit)
}

/** Whether a client that says no more still listens. */
function isThere(socket: Socket): Promise<boolean> {
  return new Promise(resolve => socket.write(frame(toClient.heartbeat), error => resolve(!error)))
}

/** Bytes of the client's stdin as they come, up to one more than are taken. */
class Inbox {
  readonly #chunks: Buffer[] = []
  #size = 0
  #end: 'whole' | 'cut off' | undefined
  #wake?: () => void

  push(chunk: Buffer): void {
    if (this.#size <= maxStdinBytes) this.#chunks.push(Buffer.from(chunk))
    this.#size += chunk.length
    this.#wake?.()
  }

  end(): void {
    this.#end ??= 'whole'
    this.#wake?.()
  }

  /** The client went away: what came of its stdin may be half a text. */
  cutOff(): void {
    this.#end ??= 'cut off'
    this.#wake?.()
  }

  /** Everything up to the end of stdin; null when that is too much. Throws `input.cut-off`. */
  async all(): Promise<Buffer | null> {
    while (this.#end === undefined && this.#size <= maxStdinBytes) {
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
    if (this.#size > maxStdinBytes) return null
    return this.#end === 'whole' ? Buffer.concat(this.#chunks) : fail('input.cut-off')
  }
}
