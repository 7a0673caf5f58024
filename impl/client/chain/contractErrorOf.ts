import { ContractError } from '../errors/chainErrors.ts'
import type { ErrorContext } from '../errors/clientError.ts'

/**
 * A failed call of a node, in its short message only: the long one of viem contains the URL of the
 * node, which may contain a key.
 */
export function contractErrorOf(error: unknown, { metaMessages }: ErrorContext): ContractError {
  const { shortMessage } = error as { shortMessage?: unknown }
  const details = typeof shortMessage === 'string' ? shortMessage : 'the node did not answer'
  return new ContractError({ metaMessages, details })
}
