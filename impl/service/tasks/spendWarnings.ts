import { describeError } from 'polgate-chain/customErrors.ts'
import { ChainReadError } from 'polgate-chain/errors.ts'
import type { SpendRefusal } from 'polgate-chain/spendability.ts'
import type { Task } from 'polgate-chain/types.ts'
import { linkedSignal } from 'polgate-lib/async/linkedSignal.ts'
import type { Data } from 'polgate-protocol/scalars.ts'
import type { TaskWarning, TaskWarningCode } from 'polgate-protocol/taskWarning.ts'
import type { ChainReads } from './chainReads.ts'

/** The longest that a finished task waits for the chain, milliseconds. */
const maxWaitMs = 2_000
const maxMessageLength = 500

/** Custom errors of the contracts, mapped to warning codes. */
const codes: Readonly<Record<string, TaskWarningCode>> = {
  ThresholdBelowMinimum: 'threshold_below_minimum',
  QuorumMissing: 'quorum_missing',
  IntentForAnotherChain: 'other_chain',
  ReferenceBlockInFuture: 'not_yet_valid',
  AttestationExpired: 'expired',
  PolicyDataExpired: 'expired',
  PolicyIdNotCurrent: 'policy_changed',
  PolicyConfigMismatch: 'policy_changed',
  PolicyAddressMismatch: 'policy_changed',
}

/**
 * The reasons for which the contracts would reject an attestation, if known (decision T17). They do
 * not affect the result: a check that is not possible in time becomes `not_checked`.
 *
 * @param options.left milliseconds until the task times out
 */
export async function spendWarnings(
  reads: ChainReads,
  attestation: { readonly task: Task; readonly calldata: Data },
  options: { readonly signal: AbortSignal; readonly left: number },
): Promise<readonly TaskWarning[]> {
  const limit = linkedSignal(options.signal)
  const late = new Error('the chain did not answer in time')
  limit.abortAfter(Math.min(maxWaitMs, options.left / 2), () => late)
  try {
    return (await reads.within(limit.signal).spendRefusals(attestation)).map(warningOf)
  } catch (error) {
    options.signal.throwIfAborted()
    // Unexpected errors are not exposed.
    const known = error === late ? late : error instanceof ChainReadError ? error : undefined
    const why = known?.message ?? 'internal error'
    return [warning('not_checked', `Could not check whether the attestation can be spent: ${why}`)]
  } finally {
    limit.release()
  }
}

function warningOf({ revert, message }: SpendRefusal): TaskWarning {
  const code = codes[revert?.errorName ?? ''] ?? 'refused'
  const parts = [revert === undefined ? '' : describeError(revert), message]
  const text = parts.filter((part) => part !== '').join(': ')
  return warning(code, `The attestation cannot be spent: ${text}`)
}

const warning = (code: TaskWarningCode, message: string): TaskWarning => ({
  code,
  message:
    message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength)}...`,
})
