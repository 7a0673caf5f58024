import type { MethodName, ParamsOf, ResultOf } from 'polgate-protocol/methods.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { ApiKeyRecord } from '../store/apiKeys.ts'
import type { KeyPermission } from '../store/keyOptions.ts'
import type { TaskService } from '../tasks/taskService.ts'

/** Whose key a call came with (section 5.1, decision K9). */
export type Caller = {
  readonly keyId: string
  readonly permissions: readonly KeyPermission[]
  /** Lower case: the owners whose policy clients the key may use (section 5.2). */
  readonly owners: readonly Address[]
}

/** Finds the record of a key, undefined when it is unknown or expired. Asked on every request. */
export type KeyPort = { lookup(key: string): Promise<ApiKeyRecord | undefined> }

/**
 * What the front door asks of the rest of the house. Parameters have passed their schema, nulls are
 * gone, bare hex has its `0x`, unknown members are left out, integers past 2^53 are `bigint`.
 *
 * A `ServiceError` thrown here is the caller's answer; `ServiceUnavailable` has the form of section
 * 4.4; anything else is -32603 and its text stays inside.
 */
type Call<M extends MethodName> = (params: ParamsOf<M>, caller: Caller) => Promise<ResultOf<M>>

/** Everything that operators work on. */
export type TaskPort = { readonly [M in Exclude<keyof TaskService, 'close'>]: Call<M> }

/** One webhook a key (section 4.9). */
export type WebhookPort = {
  readonly register: Call<'registerWebhook'>
  unregister(caller: Caller): Promise<ResultOf<'unregisterWebhook'>>
}

/** Sealed identity and confidential data (section 4.10). */
export type SealedDataPort = {
  readonly uploadIdentity: Call<'uploadIdentityEncrypted'>
  getIdentity(params: ParamsOf<'getIdentityEncrypted'>): Promise<ResultOf<'getIdentityEncrypted'>>
  readonly uploadConfidential: Call<'uploadConfidentialData'>
  getConfidential(params: ParamsOf<'getConfidentialData'>): Promise<ResultOf<'getConfidentialData'>>
}
