import { ChainReadError, ChainWriteError } from 'polgate-chain/errors.ts'

/**
 * Refusals of the task manager that say only that the chain is not where it was: it went back, or
 * another node of the same chain answered.
 */
const movedChain: ReadonlySet<string | undefined> = new Set([
  'TaskFromTheFuture',
  'TaskNotCreated',
  'TaskAlreadyCreated',
  'TaskAlreadyResponded',
])

/** Whether the same posting may succeed later; what a contract refuses otherwise is final. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ChainReadError) return error.code !== 'reverted'
  if (!(error instanceof ChainWriteError)) return false
  if (error.code === 'reverted') return movedChain.has(error.errorName)
  return error.code !== 'refused'
}

/** Whether every other posting would fail as well: the account or the node is in trouble. */
export const isCommonCause = (error: unknown): boolean =>
  error instanceof ChainReadError
    ? error.code !== 'reverted'
    : error instanceof ChainWriteError && commonFailures.has(error.code)

const commonFailures: ReadonlySet<string> = new Set([
  'insufficient-funds',
  'unreachable',
  'timeout',
  'busy',
  'not-mined',
])
