import { createPublicClient, custom, type PublicClient } from 'viem'
import { ApiError, api } from './api.ts'

type Answer = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

let id = 0

/** A JSON-RPC call of the chain's node. @throws ApiError with the node's message */
export async function chainRpc<T>(method: string, params: readonly unknown[] = []): Promise<T> {
  id += 1
  const { result, error } = await api<Answer>('/chain', {
    method: 'POST',
    body: { jsonrpc: '2.0', id, method, params },
  })
  if (error !== undefined) throw new ApiError(`${method}: ${error.message}`, 200)
  return result as T
}

/** A client of viem for the chain's node, by way of this page's server. */
export const chainClient = (): PublicClient =>
  createPublicClient({
    transport: custom(
      { request: ({ method, params }) => chainRpc(method, params) },
      { retryCount: 0 },
    ),
    pollingInterval: 1_000,
  })
