import {readdirSync} from 'node:fs'
import type {Socket} from 'node:net'
import {type ErrorCode, errorTable, TermicError} from '../core/errors.ts'
import {readProcStat} from '../core/pane/proc-stat.ts'
import {silenceMs} from '../core/wire/exec-frames.ts'

interface Message {
  id?: number
  result?: unknown
  error?: {message: string; data?: {code?: string} & Record<string, unknown>}
}

/** After these the daemon goes, and nothing may be claimed before it went. */
const ending = new Set(['daemon.stop', 'daemon.quit'])

/** A process that has closed everything needs no longer to end, unless the machine is in trouble. */
const goneMs = 5_000

/**
 * One call in the NDJSON framing. Resolves when the daemon answered and, where the call ends it, is gone; throws the
 * daemon's refusal as TermicError, and `daemon.lost` when it went away or was silent for too long.
 */
export async function rpc(socket: Socket, method: string, params: object, token?: string): Promise<unknown> {
  const answer = await new Promise<Message | undefined>(resolve => {
    let text = ''
    let answer: Message | undefined
    const silence = setTimeout(() => socket.destroy(), silenceMs)
    socket.setEncoding('utf8')
    socket.on('data', (piece: string) => {
      silence.refresh()
      const lines = (text + piece).split('\n')
      text = lines.pop() ?? ''
      const messages = lines.map(line => JSON.parse(line) as Message)
      answer ??= messages.find(({id}) => id === 1)
      if (answer && (answer.error || !ending.has(method) || isPreview(answer.result))) socket.destroy()
    })
    // `close` follows, and the missing answer tells.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(silence)
      resolve(answer)
    })
    socket.write(`${JSON.stringify({jsonrpc: '2.0', id: 1, method, params, token})}\n`)
  })
  if (!answer) throw new TermicError('daemon.lost')
  if (!answer.error) {
    const {pid} = (answer.result ?? {}) as {pid?: number}
    if (ending.has(method) && !isPreview(answer.result) && pid !== undefined) await untilGone(pid)
    return answer.result
  }
  const {code, ...data} = answer.error.data ?? {}
  throw code && code in errorTable
    ? new TermicError(code as ErrorCode, data)
    : new Error(answer.error.message)
}

/** Its connection ends before its process does, which has its memory and its files to give back. */
async function untilGone(pid: number): Promise<void> {
  for (const until = performance.now() + goneMs; performance.now() < until; ) {
    if (hasEnded(pid)) return
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}

/** Ended is also who only waits for a parent that never asks, as an init of a container may be. */
function hasEnded(pid: number): boolean {
  const stat = readProcStat(pid)
  if (stat) return (stat.state === 'Z' || stat.state === 'X') && threadsOf(pid) <= 1
  try {
    // Where there is no /proc.
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

/** A first thread that has ended says nothing of the others, which hold its files until they have ended too. */
function threadsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).length
  } catch {
    return 0
  }
}

/** `daemon.quit` without `commit`. */
function isPreview(result: unknown): boolean {
  return (result as {quitting?: boolean} | undefined)?.quitting === false
}
