import type {Socket} from 'node:net'
import {asTermicError, type TermicError} from '../../core/errors.ts'
import {silenceMs} from '../../core/wire/exec-frames.ts'
import type {Service} from '../service.ts'
import {answerCall} from './answer-call.ts'
import {LineReader} from './line-reader.ts'
import type {Request} from './request.ts'
import {rpcCode, rpcCodeOf} from './rpc-code.ts'

const maxInFlight = 64

/** Serves JSON-RPC messages, one per line: any number of requests in flight, answered as they finish. */
export function serveNdjson(service: Service, socket: Socket, first: Buffer): void {
  const running = new Map<string | number, AbortController>()
  const reader = new LineReader()

  const send = (message: object): Promise<void> => {
    if (socket.destroyed || socket.write(`${JSON.stringify({jsonrpc: '2.0', ...message})}\n`))
      return Promise.resolve()
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
  const heartbeat = setInterval(() => {
    for (const id of running.keys()) void send({method: '$/heartbeat', params: {id}})
  }, silenceMs / 3)
  socket.on('close', () => {
    clearInterval(heartbeat)
    for (const call of running.values()) call.abort()
  })

  const onLine = async (line: string): Promise<void> => {
    const request = parse(line)
    if ('error' in request) return send({id: null, error: request.error})
    const {id, method} = request
    if (method === '$/cancel')
      return running.get((request.params as {id: string | number} | undefined)?.id ?? '')?.abort()
    if (id === undefined) return
    if (running.has(id) || running.size >= maxInFlight) {
      const message = running.has(id)
        ? `the id ${id} is in use`
        : `${maxInFlight} calls are in flight on this connection; wait for one`
      return send({id, error: {code: rpcCode.request, message}})
    }
    const call = new AbortController()
    running.set(id, call)
    service.calls.add(call)
    try {
      const result = await answerCall(service, request, {
        signal: call.signal,
        emit: event =>
          send({
            method: '$/event',
            params: {id, event: event.type === 'output' && event.event ? event.event : event},
          }),
      })
      await send({id, result})
    } catch (thrown) {
      await send({id, error: rpcError(asTermicError(thrown, service.paths.log), service)})
    } finally {
      running.delete(id)
      service.calls.delete(call)
    }
  }

  const onData = (chunk: Buffer) => {
    try {
      for (const line of reader.read(chunk)) void onLine(line)
    } catch (error) {
      socket.end(
        `${JSON.stringify({jsonrpc: '2.0', id: null, error: {code: rpcCode.request, message: (error as Error).message}})}\n`,
      )
    }
  }
  socket.on('data', onData)
  onData(first)
}

function parse(line: string): Request | {error: {code: number; message: string}} {
  let message: Request
  try {
    message = JSON.parse(line) as Request
  } catch {
    return {
      error: {code: rpcCode.parse, message: 'this line is not JSON; send one JSON-RPC 2.0 message per line'},
    }
  }
  const {id, method, jsonrpc} = message ?? {}
  const validId = id === undefined || typeof id === 'string' || typeof id === 'number'
  if (jsonrpc !== '2.0' || typeof method !== 'string' || !validId) {
    return {
      error: {
        code: rpcCode.request,
        message: 'this is no JSON-RPC 2.0 request; it needs jsonrpc, method and an id',
      },
    }
  }
  return message
}

function rpcError(error: TermicError, service: Service): {code: number; message: string; data: object} {
  if (error.code === 'internal') service.log.error((error.cause as Error)?.stack ?? error.message)
  return {code: rpcCodeOf(error.code), message: error.message, data: {...error.data, code: error.code}}
}
