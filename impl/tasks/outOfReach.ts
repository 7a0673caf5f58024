import { HttpRequestError, TimeoutError } from 'viem'
import { ChainReadError } from '../../chain/errors.ts'
import { isNonceError } from '../../chain/transactor.ts'

/**
 * Whether a node could not be reached, did not tell what became of a transaction, or had another one
 * of the same account in its place: the same may pass later. What the node or a contract refuses
 * otherwise is refused again.
 */
export function isOutOfReach(error: unknown): boolean {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 10; depth += 1) {
    if (cause instanceof HttpRequestError || cause instanceof TimeoutError) return true
    if (cause instanceof ChainReadError && cause.failure === 'unreachable') return true
    if (/^it was not mined within/.test(cause.message) || isNonceError(cause)) return true
    cause = cause.cause
  }
  return false
}
