import { type Static, Type } from '@sinclair/typebox'
import { Address, Bytes32, Envelope, Nullable, NumericChainId } from '../scalars.ts'
import type { Method } from './method.ts'

/** Section 4.10. */
export const UploadConfidentialDataParams = Type.Object({
  provider: Address,
  domain: Bytes32,
  envelope: Envelope,
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
