import { ChainReadError, ChainWriteError } from 'polgate-chain/errors.ts'

/**
 * Rejections of the task manager that only mean that the chain changed: a reorg, or another node of
 * the same chain answered.
 */
const movedChain: ReadonlySet<string | undefined> = new Set([
  'TaskFromTheFuture',
  'TaskNotCreated',
  'TaskAlreadyCreated',
  'TaskAlreadyResponded',
])

/** Whether the same posting may succeed later; any other rejection of a contract is final. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ChainReadError) return error.code !== 'reverted'
  if (!(error instanceof ChainWriteError)) return false
  if (error.code === 'reverted') return movedChain.has(error.errorName)
  return error.code !== 'refused'
}

/** Whether every other posting would fail as well, because the account or the node fails. */
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
