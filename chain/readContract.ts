import { type Address, BaseError, type Hex } from 'viem'
import { decodeCustomError, decodeRevert, describeError, revertData } from './customErrors.ts'
import { ChainReadError } from './errors.ts'

/** Runs a read of a contract and gives its failures the room's error. */
export async function readContract<T>(target: Address, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw readError(target, error)
  }
}

/** What a failed read was about, without the address of the node. */
export function readError(target: Address, error: unknown): ChainReadError {
  const decoded = decodeRevert(error)
  if (decoded?.errorName === 'ReadFailed') {
    const [address, read, reason] = decoded.args as [Address, string, Hex]
    if (reason === '0x') {
      return new ChainReadError('no-contract', `${read} of ${address} has no answer`, {
        hint: 'Is there a contract of the right kind at this address, on this chain?',
        cause: error,
      })
    }
    const inner = decodeCustomError(reason)
    const text = inner === undefined ? reason : describeError(inner)
    return new ChainReadError('reverted', `${read} of ${address} reverted with ${text}`, {
      hint: 'Is the policy of this client set?',
      cause: error,
      revert: inner,
    })
  }
  const text = error instanceof BaseError ? error.shortMessage : String(error)
  const kind = 'Is there a contract of the right kind at this address, on this chain?'
  if (hasCause(error, ['AbiDecodingZeroDataError', 'ContractFunctionZeroDataError'])) {
    const reason = `${target} has no answer`
    return new ChainReadError('no-contract', reason, { hint: kind, cause: error })
  }
  if (revertData(error) !== undefined || hasCause(error, ['ExecutionRevertedError'])) {
    const reason = decoded === undefined ? text : describeError(decoded)
    const details = { hint: kind, cause: error, revert: decoded }
    return new ChainReadError('reverted', `${target}: ${reason}`, details)
  }
  // Only the short message: the long one holds the RPC address, which may hold a key.
  return new ChainReadError('unreachable', text, {
    hint: 'Check that the RPC address is right and the node is running.',
    cause: error,
  })
}

const hasCause = (error: unknown, names: readonly string[]): boolean =>
  error instanceof BaseError &&
  error.walk((cause) => names.includes((cause as Error).name)) !== null
