import type { MethodName, ParamsOf, ResultOf } from 'polgate-protocol/methods.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { ApiKeyRecord } from '../store/apiKeys.ts'
import type { KeyPermission } from '../store/keyOptions.ts'
import type { UsedKey } from '../store/usedKey.ts'
import type { TaskService } from '../tasks/taskService.ts'

/** The owner of the key of a call (section 5.1, decision K9). */
export type Caller = UsedKey & {
  readonly permissions: readonly KeyPermission[]
  /** Owners whose policy clients the key may use (section 5.2), in lower case. */
  readonly owners: readonly Address[]
}

/** Finds the record of a key; undefined if unknown or expired. Called on every request. */
export type KeyPort = { lookup(key: string): Promise<ApiKeyRecord | undefined> }

/**
 * The gateway's dependencies. Parameters are validated and normalized: nulls and unknown members
 * are removed, bare hex has its `0x`, integers beyond 2^53 are `bigint`.
 *
 * A `ServiceError` thrown here is returned to the caller; `ServiceUnavailable` has the form of
 * section 4.4; anything else becomes -32603 without its message.
 */
type Call<M extends MethodName> = (params: ParamsOf<M>, caller: Caller) => Promise<ResultOf<M>>

/** Everything that operators work on. */
export type TaskPort = { readonly [M in Exclude<keyof TaskService, 'close'>]: Call<M> }

/** One webhook per key (section 4.9). */
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
