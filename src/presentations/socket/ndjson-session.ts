import type {Socket} from 'node:net'
import {asTermicError, fail, type TermicError} from '../../core/errors.ts'
import type {VerbEvent} from '../../core/verb/caller.ts'
import {silenceMs} from '../../core/wire/exec-frames.ts'
import type {Service} from '../service.ts'
import {answerCall} from './answer-call.ts'
import {LineReader, maxLineBytes} from './line-reader.ts'
import {parseRequest, type Request} from './request.ts'
import {rpcCode, rpcCodeOf} from './rpc-code.ts'

const maxInFlight = 64
/** After a line that is too long the peer gets so long to read why, while the rest of it is thrown away. */
const partingMs = 2_000

/** Serves JSON-RPC messages, one per line: any number of requests in flight, answered as they finish. */
export function serveNdjson(service: Service, socket: Socket, first: Buffer): void {
  const running = new Map<string | number, AbortController>()
  const reader = new LineReader()
  let saidAll = false

  const write = (line: string): Promise<void> => {
    if (socket.destroyed || socket.writableEnded || socket.write(line)) return Promise.resolve()
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
  const send = (message: object): Promise<void> => write(lineOf(message))
  const beat = () => {
    for (const id of running.keys()) void send({method: '$/heartbeat', params: {id}})
  }
  const heartbeat = setInterval(beat, silenceMs / 3)
  socket.on('close', () => {
    clearInterval(heartbeat)
    for (const call of running.values()) call.abort()
  })
  // A peer that says no more may still listen (`socat` and its like close one way at the end of their input), or be
  // gone: writing to one that is gone fails, and the close that follows releases its watches.
  socket.on('end', () => {
    saidAll = true
    if (running.size === 0) socket.end()
    beat()
  })

  const onLine = async (line: string): Promise<void> => {
    const request = parseRequest(line)
    if ('error' in request) return send(request)
    const {id, method} = request
    if (method === '$/cancel') return running.get(cancelledId(request))?.abort()
    if (id === undefined) return
    if (running.has(id) || running.size >= maxInFlight) {
      const message = running.has(id)
        ? `the id ${id} is in use`
        : `${maxInFlight} calls are in flight on this connection; wait for one`
      return send({id, error: {code: rpcCode.request, message}})
    }
    const call = new AbortController()
    running.set(id, call)
    const emit = (event: VerbEvent) =>
      send({
        method: '$/event',
        params: {id, event: event.type === 'output' && event.event ? event.event : event},
      })
    try {
      await service.calls.run(call.signal, async signal =>
        write(answerLine({id, result: await answerCall(service, request, {signal, emit})})),
      )
    } catch (thrown) {
      // The end of the connection says that another daemon can be asked.
      if (service.calls.isForTheNext(thrown)) return
      await send({id, error: rpcError(asTermicError(thrown, service.paths.log), service)})
    } finally {
      running.delete(id)
      if (saidAll && running.size === 0) socket.end()
    }
  }

  const onData = (chunk: Buffer) => {
    try {
      for (const line of reader.read(chunk)) void onLine(line)
    } catch (error) {
      socket.off('data', onData)
      socket.resume()
      socket.end(lineOf({id: null, error: {code: rpcCode.request, message: (error as Error).message}}))
      setTimeout(() => socket.destroy(), partingMs).unref()
    }
    // Who doesn't read its answers is not read either, or they would pile up here.
    if (socket.writableNeedDrain) {
      socket.pause()
      socket.once('drain', () => socket.resume())
    }
  }
  socket.on('data', onData)
  onData(first)
}

function cancelledId({params}: Request): string | number {
  return (params as {id?: string | number} | undefined | null)?.id ?? Number.NaN
}

function lineOf(message: object): string {
  return `${JSON.stringify({jsonrpc: '2.0', ...message})}\n`
}

/** Throws `output.too-large`, since the limit of a line holds both ways. */
function answerLine(message: object): string {
  const line = lineOf(message)
  const size = Buffer.byteLength(line)
  if (size > maxLineBytes) fail('output.too-large', {size, limit: maxLineBytes})
  return line
}

function rpcError(error: TermicError, service: Service): {code: number; message: string; data: object} {
  if (error.code === 'internal') service.log.error((error.cause as Error)?.stack ?? error.message)
  return {code: rpcCodeOf(error.code), message: error.message, data: {...error.data, code: error.code}}
}
