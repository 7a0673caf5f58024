import { AppError } from 'polgate-lib/errors/appError.ts'

/** A control call of Anvil failed. */
export class ChainControlError extends AppError {}

/** Milliseconds; mining many blocks takes time. */
const limitMs = 120_000

/** Calls a method of the local chain's node, such as `evm_snapshot`. @throws ChainControlError */
export async function chainRpc(
  rpcUrl: string,
  method: string,
  params: readonly unknown[] = [],
  withinMs = limitMs,
): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(withinMs),
  })
  const { result, error } = (await response.json()) as {
    result?: unknown
    error?: { message: string }
  }
  if (error !== undefined)
    throw new ChainControlError(`${method} failed on the local chain: ${error.message}`)
  return result
}
