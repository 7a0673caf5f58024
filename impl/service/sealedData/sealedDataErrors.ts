import { ChainReadError } from 'polgate-chain/errors.ts'
import { errorCode } from 'polgate-protocol/jsonRpc.ts'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'

/** -32002 (section 7.2): the signature of decision K6 is invalid or by another account. */
export const notSignedByOwner = (owner: Address) =>
  new ServiceError(
    `Authorization failed: identity_owner_sig is not a signature of ${owner} over the envelope`,
    {
      code: errorCode.authorization,
      clause: 'section 4.10',
      hint: 'Sign EncryptedIdentityData(string data) under the domain of the identity registry.',
    },
  )

/** -32002 (section 7.2): the provider is registered, and does not belong to the caller. */
export const notCallersProvider = (provider: Address) =>
  new ServiceError(
    `Authorization failed: provider ${provider} is not associated with this API key`,
    {
      code: errorCode.authorization,
      clause: 'section 5.1',
      hint: 'Use a key whose owner addresses include the provider.',
    },
  )

/** -32602: there is no data with this reference. */
export const unknownReference = (kind: 'identity' | 'confidential', dataRefId: Bytes32) =>
  new ServiceError(`No ${kind} data found for data_ref_id ${dataRefId}`, {
    code: errorCode.invalidParams,
    clause: 'section 4.10',
    hint: 'Use the data_ref_id from the upload.',
  })

/** -32616: the methods need a contract that is not configured. */
export function noRegistry(kind: 'identity' | 'confidential-data') {
  const member = kind === 'identity' ? 'identityRegistry' : 'confidentialDataRegistry'
  return new ServiceError(`This gateway has no ${kind} registry`, {
    code: errorCode.contract,
    clause: 'section 4.10',
    hint: `Set chain.${member} in the configuration.`,
  })
}

/**
 * A failed read as -32616 `Contract read failed: {details}` (section 7.3); other errors unchanged.
 */
export const asContractError = (error: unknown): unknown =>
  error instanceof ChainReadError
    ? new ServiceError(error.message, {
        code: errorCode.contract,
        clause: 'section 7.3',
        hint: error.hint,
        retryable: error.code === 'unreachable',
        cause: error,
      })
    : error
