import type {Socket} from 'node:net'
import type {ErrorCode, ErrorData} from '../core/errors.ts'
import {
  FrameReader,
  frame,
  framingVersion,
  packList,
  silenceMs,
  toClient,
  toDaemon,
  unpackList,
} from '../core/wire/exec-frames.ts'
import type {CallOptions} from './call-options.ts'
import {writeAll} from './write.ts'

type Ending =
  | {exit: number}
  | {local: true}
  | {handover: string}
  /** The daemon runs an older version. */
  | {older: string}
  /** The connection ended before a single word: a daemon that was dying, to which the call was not even begun. */
  | {unheard: true}
  | {lost: true; isReplaced: boolean; resume?: string[]; lastWords?: {descriptor: number; text: string}}

/** Sends one call and does what the daemon says until it names an exit code. */
export async function runCall(options: CallOptions): Promise<number> {
  const ending = await talk(options)
  if ('exit' in ending) return ending.exit
  if ('local' in ending) {
    const {runLocal} = await import('./run-local.ts')
    const exit = await runLocal(options.argv)
    return exit === 'daemon' ? 1 : exit
  }
  if ('older' in ending) {
    const {replaceDaemon} = await import('./replace-daemon.ts')
    const outcome = await replaceDaemon(options, ending.older)
    return 'exit' in outcome ? outcome.exit : runCall({...options, socket: outcome.socket})
  }
  if ('handover' in ending) {
    return complain(options, 'unsupported', {
      what: `what the daemon asks for (${ending.handover})`,
      next: 'update it',
    })
  }
  return 'unheard' in ending ? callAgain(options) : resumeLost(options, ending)
}

/** As if nobody had listened; once. */
async function callAgain(options: CallOptions): Promise<number> {
  if (options.isAgain) return complain(options, 'daemon.lost')
  const {withoutDaemon} = await import('./without-daemon.ts')
  const outcome = await withoutDaemon(options)
  return 'exit' in outcome ? outcome.exit : runCall({...options, socket: outcome.socket, isAgain: true})
}

/** A daemon that went away: taken up once where the daemon said how, else exit 8. */
async function resumeLost(
  options: CallOptions,
  {isReplaced, resume, lastWords}: Extract<Ending, {lost: true}>,
): Promise<number> {
  if (resume && !options.noLaunch) {
    const {withoutDaemon} = await import('./without-daemon.ts')
    const outcome = await withoutDaemon({
      argv: resume,
      noLaunch: false,
      paths: options.paths,
      reconnect: true,
      isReplaced,
    })
    if ('exit' in outcome) return outcome.exit
    // noLaunch: only one reconnection; a second loss is the end.
    return runCall({...options, argv: resume, socket: outcome.socket, noLaunch: true})
  }
  if (!lastWords) return complain(options, 'daemon.lost')
  writeAll(lastWords.descriptor, Buffer.from(lastWords.text))
  return 8
}

async function complain({argv}: CallOptions, code: ErrorCode, data?: ErrorData): Promise<number> {
  const [{TermicError}, {report}] = await Promise.all([import('../core/errors.ts'), import('./report.ts')])
  return report(new TermicError(code, data), argv)
}

function talk({argv, socket, version, token}: CallOptions): Promise<Ending> {
  return new Promise(resolve => {
    const reader = new FrameReader()
    let resume: string[] | undefined
    let isReplaced = false
    const result: Buffer[] = []
    let lastWords: {descriptor: number; text: string} | undefined
    let stopStdin: (() => void) | undefined
    const end = (ending: Ending) => {
      // The process ends with this: taking its connection apart first is a good part of what a call costs.
      if ('exit' in ending) return resolve(ending)
      clearTimeout(silence)
      socket.removeAllListeners()
      socket.on('error', () => {
        // The peer may reset what we no longer read.
      })
      socket.destroy()
      stopStdin?.()
      resolve(ending)
    }
    const lost = () => end({lost: true, isReplaced, resume, lastWords})
    let heard = false
    // After a long block (a slow reader of stdout, SIGSTOP) timers run before the socket is read: look there once more.
    const silence = setTimeout(() => {
      heard = false
      setImmediate(() => (heard ? silence.refresh() : lost()))
    }, silenceMs)

    let wasHeard = false
    const closed = () => (wasHeard ? lost() : end({unheard: true}))
    socket.on('error', closed)
    socket.on('close', closed)
    socket.on('data', chunk => {
      heard = true
      wasHeard = true
      silence.refresh()
      for (const {type, payload} of reader.read(chunk)) {
        if (type === toClient.stdout) writeAll(1, payload)
        else if (type === toClient.stderr) writeAll(2, payload)
        else if (type === toClient.result) result.push(Buffer.from(payload))
        else if (type === toClient.exit) {
          for (const piece of result) writeAll(1, piece)
          return end({exit: Number(payload.toString())})
        } else if (type === toClient.older) return end({older: payload.toString()})
        else if (type === toClient.resume) resume = payload.length > 0 ? unpackList(payload) : undefined
        else if (type === toClient.replaced) isReplaced = true
        else if (type === toClient.lastWords) lastWords = parseLastWords(payload.toString())
        else if (type === toClient.question) {
          const [kind = '', text = ''] = payload.toString().split('\0')
          if (kind === 'local') return end({local: true})
          if (kind === 'stdin') stopStdin = sendStdin(socket)
          else if (kind === 'confirm') answer(socket, text)
          else return end({handover: kind})
        }
      }
      return undefined
    })
    socket.write(opening(argv, version, token()))
  })
}

function opening(argv: string[], version: string, token: string): Buffer {
  const {stdin, stdout, stderr} = terminals()
  const env = Object.entries(process.env).map(([name, value]) => `${name}=${value}`)
  return Buffer.concat([
    frame(toDaemon.hello, packList([framingVersion, version, token])),
    frame(toDaemon.argv, packList(argv)),
    frame(toDaemon.cwd, currentDirectory()),
    frame(toDaemon.env, packList(env)),
    frame(toDaemon.columns, String(stdout ? process.stdout.columns : 80)),
    frame(toDaemon.terminals, [stdin, stdout, stderr].map(is => (is ? '1' : '0')).join('')),
    frame(toDaemon.run),
  ])
}

function terminals() {
  // `node:tty` is in Node's start-up set already, the process.stdout object is not.
  const {isatty} = process.getBuiltinModule('node:tty')
  return {stdin: isatty(0), stdout: isatty(1), stderr: isatty(2)}
}

function currentDirectory(): string {
  try {
    return process.cwd()
  } catch {
    // The directory was removed under us; the daemon then knows of none.
    return ''
  }
}

function parseLastWords(payload: string): {descriptor: number; text: string} {
  const [stream, text = ''] = payload.split('\0')
  return {descriptor: stream === 'stdout' ? 1 : 2, text}
}

/** Returns how to stop. Only here is `process.stdin` touched, since Node makes it, at a price, when it is first looked at. */
function sendStdin(socket: Socket): () => void {
  process.stdin.on('data', (chunk: Buffer) => {
    if (!socket.write(frame(toDaemon.stdin, chunk))) {
      process.stdin.pause()
      socket.once('drain', () => process.stdin.resume())
    }
  })
  process.stdin.on('end', () => socket.write(frame(toDaemon.stdinEnd)))
  process.stdin.on('error', () => socket.write(frame(toDaemon.stdinEnd)))
  return () => process.stdin.pause()
}

async function answer(socket: Socket, question: string): Promise<void> {
  const {confirm} = await import('./confirm.ts')
  socket.write(frame(toDaemon.answer, await confirm(question)))
}
