import { JsonError, type JsonParts, numberToken, RawJson } from 'polgate-protocol/exactJson.ts'
import type { JsonRpcId, JsonRpcRequest } from 'polgate-protocol/jsonRpc.ts'
import { invalidFormat } from 'polgate-protocol/serviceError.ts'
import { invalidRequest } from './errors.ts'

/** A call with a valid envelope (section 4.1). */
export type Call = {
  readonly method: string
  readonly id: JsonRpcId
  /** @throws ServiceError -32602 for numbers out of range, and for excessive depth */
  params(): unknown
}

/** The `id` of a part of a body or a message (decision E1); undefined for what is not an id. */
export function idOf(part: unknown): JsonRpcId | undefined {
  if (part === null || typeof part === 'string' || typeof part === 'number') return part
  const token = numberToken(part)
  return token === undefined ? undefined : new RawJson(token)
}

/**
 * Parses one envelope. A missing `id` becomes null (decision E1).
 *
 * @param value a part of the body
 * @throws ServiceError -32600 `Invalid request`
 */
export function parseCall(value: unknown, exact: JsonParts['exact']): Call {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidRequest('a call must be a JSON object')
  const call: { readonly [member in keyof JsonRpcRequest]?: unknown } = value
  if (call.jsonrpc !== '2.0') throw invalidRequest("jsonrpc must be '2.0'")
  const method = call.method
  if (typeof method !== 'string') throw invalidRequest('method must be a string')
  const id = idOf(call.id ?? null)
  if (id === undefined) throw invalidRequest('id must be a string')
  const params = call.params ?? {}
  if (typeof params !== 'object' || numberToken(params) !== undefined)
    throw invalidRequest('params must be an object')
  return { method, id, params: () => exactParams(params, exact) }
}

/** By member, which the error names. */
function exactParams(params: object, exact: JsonParts['exact']): unknown {
  if (Array.isArray(params)) return exactMember('params', params, exact)
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, exactMember(name, value, exact)]),
  )
}

function exactMember(name: string, value: unknown, exact: JsonParts['exact']): unknown {
  try {
    return exact(value)
  } catch (error) {
    if (error instanceof JsonError) throw invalidFormat(`${name.slice(0, 100)}: ${error.message}`)
    throw error
  }
}
