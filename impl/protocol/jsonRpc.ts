import type { RawJson } from './exactJson.ts'

/** JSON-RPC 2.0 as implemented by the gateway (sections 4.1, 7.1, 7.2, decisions E1, E7, E8). */

/**
 * By rule a string (a UUID); null if the request has none. A number is echoed as it was sent: `RawJson`
 * where a `number` would be written in another way, such as `1.0`.
 */
export type JsonRpcId = string | number | RawJson | null

export type JsonRpcRequest = {
  readonly jsonrpc: '2.0'
  readonly method: string
  readonly params?: unknown
  readonly id?: JsonRpcId
}

export type JsonRpcError = {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export type JsonRpcResponse =
  | { readonly jsonrpc: '2.0'; readonly result: unknown; readonly id: JsonRpcId }
  | { readonly jsonrpc: '2.0'; readonly error: JsonRpcError; readonly id: JsonRpcId }

/** Standard codes of section 7.1, service codes of 7.2, transport codes of decision E8. */
export const errorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  policyEvaluation: -32615,
  contract: -32616,
  operatorNotRegistered: -32617,
  incompatiblePolicyVersion: -32618,
  incompatiblePolicyDataVersion: -32619,
  dataProvider: -32620,
  invalidApiKey: -32001,
  authorization: -32002,
  permission: -32003,
  rateLimited: -32005,
} as const
