import type { JsonRpcId, JsonRpcRequest } from 'polgate-protocol/jsonRpc.ts'
import { invalidRequest } from './errors.ts'

/** A call with a valid envelope (section 4.1). */
export type Call = { readonly method: string; readonly params: unknown; readonly id: JsonRpcId }

const isId = (value: unknown): value is JsonRpcId =>
  value === null || ['string', 'number', 'bigint'].includes(typeof value)

/**
 * Parses one envelope. A missing `id` becomes null (decision E1).
 *
 * @throws ServiceError -32600 `Invalid request`
 */
export function parseCall(value: unknown): Call {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidRequest('a call must be a JSON object')
  const call: { readonly [member in keyof JsonRpcRequest]?: unknown } = value
  if (call.jsonrpc !== '2.0') throw invalidRequest("jsonrpc must be '2.0'")
  const method = call.method
  if (typeof method !== 'string') throw invalidRequest('method must be a string')
  const id = call.id ?? null
  if (!isId(id)) throw invalidRequest('id must be a string')
  const params = call.params ?? {}
  if (typeof params !== 'object') throw invalidRequest('params must be an object')
  return { method, params, id }
}
