import { BaseError, decodeErrorResult, isHex } from 'viem'
import {
  AttestationExpiredError,
  AttestationRefusedError,
  AttestationSpentError,
  type RevertContext,
} from '../errors/chainErrors.ts'
import type { ClientError, ErrorContext } from '../errors/clientError.ts'
import { contractErrorsAbi } from '../generated/contractAbis.ts'
import type { Hex } from '../hex.ts'
import { contractErrorOf } from './contractErrorOf.ts'

/** The revert data of a call, from anywhere in a chain of causes. */
function revertData(error: BaseError): Hex | undefined {
  let found: Hex | undefined
  error.walk((cause) => {
    const { data } = cause as { data?: unknown }
    const hex = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data
    if (isHex(hex) && hex.length >= 10) found = hex
    return found !== undefined
  })
  return found
}

function decode(data: Hex): Pick<RevertContext, 'errorName' | 'args'> {
  try {
    const { errorName, args } = decodeErrorResult({ abi: contractErrorsAbi, data })
    return { errorName, args: args ?? [] }
  } catch {
    return {}
  }
}

const expired = ['AttestationExpired', 'PolicyDataExpired']

/**
 * The error of a call or transaction that a contract of the service reverted, by its custom error
 * (decision C7); ContractError if it failed for another reason.
 */
export function revertOf(error: unknown, { metaMessages }: ErrorContext): ClientError {
  const data = error instanceof BaseError ? revertData(error) : undefined
  if (data === undefined) return contractErrorOf(error, { metaMessages })
  const revert = decode(data)
  const context = { ...revert, metaMessages, ...(revert.errorName ? {} : { details: data }) }
  if (expired.includes(revert.errorName ?? '')) return new AttestationExpiredError(context)
  if (revert.errorName === 'AttestationAlreadySpent') return new AttestationSpentError(context)
  return new AttestationRefusedError(context)
}
