import type {ErrorCode} from '../../core/errors.ts'

/** JSON-RPC 2.0's own codes, and `termic` for every other code of the error table, which is then in `data.code`. */
export const rpcCode = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  termic: -32000,
} as const

/** The JSON-RPC number of an error of the table. */
export function rpcCodeOf(code: ErrorCode): number {
  if (code === 'usage.invalid') return rpcCode.params
  return code === 'usage.unknown-verb' ? rpcCode.method : rpcCode.termic
}
