/** A JSON-RPC 2.0 request; `token` is our one addition. */
export interface Request {
  jsonrpc: '2.0'
  id?: string | number
  method: string
  params?: unknown
  token?: string
}
