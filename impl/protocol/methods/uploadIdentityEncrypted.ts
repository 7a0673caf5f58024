import { type Static, Type } from '@sinclair/typebox'
import { Address, Bytes32, Data, Envelope, NumericChainId, UnixSeconds } from '../scalars.ts'
import type { Method } from './method.ts'

/** Section 4.10. */
export const UploadIdentityEncryptedParams = Type.Object({
  identity_owner: Address,
  /** EIP-712 signature of the envelope (decision K6). */
  identity_owner_sig: Data,
  envelope: Envelope,
  identity_domain: Bytes32,
  chain_id: NumericChainId,
})
export type UploadIdentityEncryptedParams = Static<typeof UploadIdentityEncryptedParams>

export const UploadIdentityEncryptedResult = Type.Object({
  /** Decision K5. */
  data_ref_id: Bytes32,
  /** What the registry on chain verifies (decision K7). */
  gateway_signature: Data,
  deadline: UnixSeconds,
})
export type UploadIdentityEncryptedResult = Static<typeof UploadIdentityEncryptedResult>

export const uploadIdentityEncrypted = {
  summary: 'Stores sealed identity data and signs its registration on chain.',
  permission: 'RpcWrite',
  params: UploadIdentityEncryptedParams,
  result: UploadIdentityEncryptedResult,
} as const satisfies Method
