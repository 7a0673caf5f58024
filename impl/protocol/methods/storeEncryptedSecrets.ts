import { type Static, Type } from '@sinclair/typebox'
import { Address, Envelope, Nullable } from '../scalars.ts'
import type { Method } from './method.ts'

/** Section 4.5. */
export const StoreEncryptedSecretsParams = Type.Object({
  policy_client: Address,
  policy_data_address: Address,
  envelope: Envelope,
})
export type StoreEncryptedSecretsParams = Static<typeof StoreEncryptedSecretsParams>

export const StoreEncryptedSecretsResult = Type.Object({
  success: Type.Boolean(),
  /** The JSON Schema that validated the secrets, on success. */
  schema: Type.Optional(Nullable(Type.Unknown())),
  error: Type.Optional(Nullable(Type.String())),
})
export type StoreEncryptedSecretsResult = Static<typeof StoreEncryptedSecretsResult>

export const storeEncryptedSecrets = {
  summary: 'Stores sealed secrets for one oracle of a policy client.',
  permission: 'RpcWrite',
  params: StoreEncryptedSecretsParams,
  result: StoreEncryptedSecretsResult,
} as const satisfies Method
