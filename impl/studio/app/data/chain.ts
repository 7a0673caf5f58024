import { AppError } from 'polgate-lib/errors/appError.ts'
import { createPublicClient, custom, type PublicClient } from 'viem'
import { api } from './api.ts'

type Answer = {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** A call that the node refused. viem reads `code`, and `data`, which has the contract's error. */
class NodeError extends AppError<{ code: number }> {
  readonly data: unknown
  constructor(method: string, { code, message, data }: NonNullable<Answer['error']>) {
    super(`${method}: ${message}`, { code })
    this.data = data
  }
}

let id = 0

/** A JSON-RPC call of the chain's node. @throws NodeError, ApiError */
export async function chainRpc<T>(method: string, params: readonly unknown[] = []): Promise<T> {
  id += 1
  const { result, error } = await api<Answer>('/chain', {
    method: 'POST',
    body: { jsonrpc: '2.0', id, method, params },
  })
  if (error !== undefined) throw new NodeError(method, error)
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
