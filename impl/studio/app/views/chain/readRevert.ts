import type { Hex } from 'viem'
import { chainRpc } from '../../data/chain.ts'
import { target } from '../../data/target.ts'
import type { Transaction } from './reads.ts'

/** What a reverted transaction returned; without data where the node does not tell. */
export type Revert = {
  readonly data: Hex | undefined
  /** It is of the same call on the state of the block before. */
  readonly isReplayed: boolean
}

type CallTrace = { readonly output?: Hex; readonly error?: string }

/**
 * The data with which a transaction reverted: from its trace, or from the same call where the node does not trace.
 *
 * @throws ApiError, and the error of a node that answers neither
 */
export async function readRevert(transaction: Transaction): Promise<Revert> {
  const { hash, from, to, input, value, blockNumber } = transaction
  if (!target().readOnly) {
    const traced = chainRpc<CallTrace>('debug_traceTransaction', [hash, { tracer: 'callTracer' }])
    const trace = await traced.catch(() => undefined)
    if (trace?.error !== undefined) return { data: trace.output ?? '0x', isReplayed: false }
  }
  const before = `0x${(BigInt(blockNumber) - 1n).toString(16)}`
  const call = { from, value, data: input, ...(to === null ? {} : { to }) }
  try {
    await chainRpc<Hex>('eth_call', [call, before])
    return { data: undefined, isReplayed: true }
  } catch (error) {
    const data = revertDataOf(error)
    if (data === undefined) throw error
    return { data, isReplayed: true }
  }
}

/** From the error of a node: its data is the text, or in a member of an object; undefined for another error. */
export function revertDataOf(error: unknown): Hex | undefined {
  const { data, message = '' } = (error ?? {}) as { data?: unknown; message?: string }
  const found = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data
  if (typeof found === 'string' && /^0x[0-9a-fA-F]*$/.test(found)) return found as Hex
  return /revert/i.test(message) ? '0x' : undefined
}
