import { type Address, BaseError, type Hex } from 'viem'
import { decodeCustomError, decodeRevert, describeError, revertData } from './customErrors.ts'
import { ChainReadError } from './errors.ts'

/** Runs a contract read and converts its errors to those of this package. */
export async function readContract<T>(target: Address, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw readError(target, error)
  }
}

/** Describes a failed read without the address of the node. */
export function readError(target: Address, error: unknown): ChainReadError {
  const decoded = decodeRevert(error)
  if (decoded?.errorName === 'ReadFailed') {
    const [address, read, reason] = decoded.args as [Address, string, Hex]
    if (reason === '0x') {
      return new ChainReadError('no-contract', `${read} of ${address} returned no data`, {
        hint: 'Check that the address is that of the right contract, on this chain.',
        cause: error,
      })
    }
    const inner = decodeCustomError(reason)
    const text = inner === undefined ? reason : describeError(inner)
    return new ChainReadError('reverted', `${read} of ${address} reverted with ${text}`, {
      hint: 'Check that the client has a policy.',
      cause: error,
      revert: inner,
    })
  }
  const text = error instanceof BaseError ? error.shortMessage : String(error)
  const kind = 'Check that the address is that of the right contract, on this chain.'
  if (hasCause(error, ['AbiDecodingZeroDataError', 'ContractFunctionZeroDataError'])) {
    const reason = `${target} returned no data`
    return new ChainReadError('no-contract', reason, { hint: kind, cause: error })
  }
  if (revertData(error) !== undefined || hasCause(error, ['ExecutionRevertedError'])) {
    const reason = decoded === undefined ? text : describeError(decoded)
    const details = { hint: kind, cause: error, revert: decoded }
    return new ChainReadError('reverted', `${target}: ${reason}`, details)
  }
  // The short message only: the long one contains the RPC URL, which may contain a key.
  return new ChainReadError('unreachable', text, {
    hint: 'Check the RPC URL and that the node is running.',
    cause: error,
  })
}

const hasCause = (error: unknown, names: readonly string[]): boolean =>
  error instanceof BaseError &&
  error.walk((cause) => names.includes((cause as Error).name)) !== null
