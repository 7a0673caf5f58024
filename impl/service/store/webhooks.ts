import type { Clock } from 'polgate-protocol/clock.ts'
import type { FailureType } from 'polgate-protocol/notification.ts'
import type { Database } from './database.ts'
import { lockUsedKey, type UsedKey, usedKeyParams } from './usedKey.ts'

/** Destination for failure notifications of a key's tasks (section 4.9). */
export type WebhookRecord = {
  readonly apiKeyId: string
  readonly url: string
  /** Encrypted; useless without the key in the configuration. */
  readonly sealedSecret: Uint8Array | null
  readonly timeoutSeconds: number
  readonly maxRetries: number
  /** Null: all. */
  readonly failureTypes: readonly FailureType[] | null
  readonly registeredAt: Date
}

const columns = `api_key_id as "apiKeyId", url, sealed_secret as "sealedSecret",
  timeout_seconds as "timeoutSeconds", max_retries as "maxRetries",
  failure_types as "failureTypes", registered_at as "registeredAt"`

/** The webhooks: one per API key, deleted with it. */
export const webhookQueries = (database: Database, clock: Clock) => ({
  /**
   * Stores or replaces a webhook. False when the API key has been deleted, or is not `used` any more.
   */
  async put(webhook: Omit<WebhookRecord, 'registeredAt'>, used?: UsedKey): Promise<boolean> {
    const now = new Date(clock())
    const rows = await database.query(
      `with valid_key as materialized (${lockUsedKey(8)})
       insert into webhooks (api_key_id, url, sealed_secret, timeout_seconds, max_retries,
         failure_types, registered_at)
       select id, $2, $3, $4, $5, $6, $7 from api_keys
       where id = $1 and ($8::text is null or exists (select from valid_key)) for key share
       on conflict (api_key_id) do update set url = excluded.url,
         sealed_secret = excluded.sealed_secret, timeout_seconds = excluded.timeout_seconds,
         max_retries = excluded.max_retries, failure_types = excluded.failure_types,
         registered_at = excluded.registered_at
       returning api_key_id`,
      [
        webhook.apiKeyId,
        webhook.url,
        webhook.sealedSecret,
        webhook.timeoutSeconds,
        webhook.maxRetries,
        webhook.failureTypes === null ? null : [...webhook.failureTypes],
        now,
        ...usedKeyParams(used, now),
      ],
    )
    return rows.length === 1
  },

  /**
   * Removes a webhook and settles its pending notifications. `none` when there was none, `key-changed`
   * when the API key is not `used` any more.
   */
  remove: (apiKeyId: string, used?: UsedKey): Promise<'removed' | 'none' | 'key-changed'> =>
    database.transaction(async (tx) => {
      const now = new Date(clock())
      if (used !== undefined) {
        const valid = await tx.query(lockUsedKey(1), usedKeyParams(used, now))
        if (valid.length === 0) return 'key-changed'
      }
      const rows = await tx.query(
        'delete from webhooks where api_key_id = $1 returning api_key_id',
        [apiKeyId],
      )
      await tx.query(
        `update notifications set settled_at = $2, outcome = 'unwanted', claimed_until = null
         where api_key_id = $1 and settled_at is null`,
        [apiKeyId, now],
      )
      return rows.length === 1 ? 'removed' : 'none'
    }),

  async get(apiKeyId: string): Promise<WebhookRecord | undefined> {
    const [row] = await database.query<WebhookRecord>(
      `select ${columns} from webhooks where api_key_id = $1`,
      [apiKeyId],
    )
    return row
  },
})

export type WebhookQueries = ReturnType<typeof webhookQueries>
