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

/** Hex digits, `0x` and all, of at most 4 KiB: what contracts take for a signature may be long. */
const OwnerSignature = Type.Unsafe<Hex>(Type.String({ ...Data, maxLength: 2 + 2 * 4096 }))

/** Section 4.10. Hex has its `0x` everywhere (decision E4). */
export const UploadIdentityEncryptedParams = Type.Object({
  identity_owner: Address,
  /** EIP-712 signature of the envelope (decision K6), 65 bytes, or what a contract takes for one. */
  identity_owner_sig: OwnerSignature,
  /** Any `policy_client`; `chain_id` as below (decision K1). */
  envelope: Envelope,
  identity_domain: Bytes32,
  /** That of the gateway. */
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
