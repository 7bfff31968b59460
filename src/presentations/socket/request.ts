import {rpcCode} from './rpc-code.ts'

/** A JSON-RPC 2.0 request; `token` is our one addition. */
export interface Request {
  jsonrpc: '2.0'
  id?: string | number
  method: string
  params?: unknown
  token?: string
}

/** What is answered to a line that is no request. */
export interface NoRequest {
  id: string | number | null
  error: {code: number; message: string}
}

const notJson = 'this line is not JSON; send one JSON-RPC 2.0 message per line'
const noRequest = 'this is no JSON-RPC 2.0 request; it needs jsonrpc, method and an id'
const badToken = 'the token must be a string'

/** One line as a request; else the answer to it, under its own id where it has one. */
export function parseRequest(line: string): Request | NoRequest {
  let message: Partial<Record<keyof Request, unknown>> | null
  try {
    message = JSON.parse(line)
  } catch {
    return {id: null, error: {code: rpcCode.parse, message: notJson}}
  }
  const {jsonrpc, id, method, token} = message ?? {}
  const isId = typeof id === 'string' || typeof id === 'number'
  const refuse = (text: string): NoRequest => ({
    id: isId ? id : null,
    error: {code: rpcCode.request, message: text},
  })
  if (jsonrpc !== '2.0' || typeof method !== 'string' || !(isId || id === undefined)) return refuse(noRequest)
  if (token !== undefined && typeof token !== 'string') return refuse(badToken)
  return message as Request
}
