import { type Static, Type } from '@sinclair/typebox'
import { Address, Bytes32 } from '../scalars.ts'
import { DataReference } from './dataReference.ts'
import type { Method } from './method.ts'

/** Section 4.10. */
export const GetIdentityEncryptedResult = Type.Object({
  /** Exactly as uploaded. */
  envelope: Type.String(),
  identity_domain: Bytes32,
  identity_owner: Address,
})
export type GetIdentityEncryptedResult = Static<typeof GetIdentityEncryptedResult>

export const getIdentityEncrypted = {
  summary: 'Returns sealed identity data by its reference.',
  permission: 'RpcRead',
  params: DataReference,
  result: GetIdentityEncryptedResult,
} as const satisfies Method
