import { type Static, Type } from '@sinclair/typebox'
import { Address, Bytes32, Envelope, Nullable, NumericChainId } from '../scalars.ts'
import type { Method } from './method.ts'

/** Section 4.10. Hex always has `0x` (decision E4). */
export const UploadConfidentialDataParams = Type.Object({
  /** Registered on the confidential-data registry, and one of the owner addresses of the key. */
  provider: Address,
  domain: Bytes32,
  /** `policy_client` is the provider (decision K4), `chain_id` as below. */
  envelope: Envelope,
  /** Chain id of the gateway. */
  chain_id: NumericChainId,
})
export type UploadConfidentialDataParams = Static<typeof UploadConfidentialDataParams>

export const UploadConfidentialDataResult = Type.Object({
  success: Type.Boolean(),
  /** Decision K5. */
  data_ref_id: Type.Optional(Nullable(Bytes32)),
  error: Type.Optional(Nullable(Type.String())),
})
export type UploadConfidentialDataResult = Static<typeof UploadConfidentialDataResult>

export const uploadConfidentialData = {
  summary: 'Stores sealed data of a registered provider.',
  permission: 'RpcWrite',
  params: UploadConfidentialDataParams,
  result: UploadConfidentialDataResult,
} as const satisfies Method
