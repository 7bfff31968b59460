import type {Socket} from 'node:net'
import {createInterface} from 'node:readline'
import {type ErrorCode, errorTable, TermicError} from '../core/errors.ts'

/** After these the daemon goes, and nothing may be claimed before it went. */
const ending = new Set(['daemon.stop', 'daemon.quit'])

/**
 * One call in the NDJSON framing. Resolves when the daemon answered and, where the call ends it, is gone; throws the
 * daemon's refusal as TermicError.
 */
export async function rpc(socket: Socket, method: string, params: object, token?: string): Promise<unknown> {
  socket.on('error', () => {
    // Shown by the missing answer below.
  })
  socket.write(`${JSON.stringify({jsonrpc: '2.0', id: 1, method, params, token})}\n`)
  let answer:
    | {result?: unknown; error?: {message: string; data?: {code?: string} & Record<string, unknown>}}
    | undefined
  for await (const line of createInterface({input: socket})) {
    const message = JSON.parse(line) as typeof answer & {id?: number}
    if (message.id !== 1) continue
    answer = message
    if (answer.error || !ending.has(method) || isPreview(answer.result)) break
  }
  socket.destroy()
  if (!answer) throw new TermicError('daemon.lost')
  if (answer.error) {
    const {code, ...data} = answer.error.data ?? {}
    throw code && code in errorTable
      ? new TermicError(code as ErrorCode, data)
      : new Error(answer.error.message)
  }
  return answer.result
}

/** `daemon.quit` without `commit`. */
function isPreview(result: unknown): boolean {
  return (result as {quitting?: boolean} | undefined)?.quitting === false
}
