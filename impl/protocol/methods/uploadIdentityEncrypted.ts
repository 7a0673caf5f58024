import { type Static, Type } from '@sinclair/typebox'
import {
  Address,
  Bytes32,
  Data,
  Envelope,
  type Hex,
  NumericChainId,
  UnixSeconds,
} from '../scalars.ts'
import type { Method } from './method.ts'

/** Hex digits including `0x`, up to 4 KiB: signatures of contract accounts may be long. */
const OwnerSignature = Type.Unsafe<Hex>(Type.String({ ...Data, maxLength: 2 + 2 * 4096 }))

/** Section 4.10. Hex always has `0x` (decision E4). */
export const UploadIdentityEncryptedParams = Type.Object({
  identity_owner: Address,
  /**
   * EIP-712 signature of the envelope (decision K6): 65 bytes, or any length for a contract
   * account.
   */
  identity_owner_sig: OwnerSignature,
  /** Any `policy_client`; `chain_id` as below (decision K1). */
  envelope: Envelope,
  identity_domain: Bytes32,
  /** Chain id of the gateway. */
  chain_id: NumericChainId,
})
export type UploadIdentityEncryptedParams = Static<typeof UploadIdentityEncryptedParams>

export const UploadIdentityEncryptedResult = Type.Object({
  /** Decision K5. */
  data_ref_id: Bytes32,
  /** Signature that the on-chain registry verifies (decision K7). */
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
