import { type Clock, systemClock } from '../protocol/clock.ts'
import { type ApiKeyQueries, apiKeyQueries } from './apiKeys.ts'
import type { Database } from './database.ts'
import { openEmbedded } from './embedded.ts'
import { type LeaseQueries, leaseQueries } from './leases.ts'
import { migrate } from './migrate.ts'
import { type NotificationQueries, notificationQueries } from './notifications.ts'
import { type SealedDataQueries, sealedDataQueries } from './sealedData.ts'
import { type SecretQueries, secretQueries } from './secrets.ts'
import { openServer } from './server.ts'
import { type TaskQueries, taskQueries } from './tasks.ts'
import { type WebhookQueries, webhookQueries } from './webhooks.ts'

export type StoreOptions = {
  /** Directory of the embedded database; in memory when absent. */
  readonly dataDir?: string | undefined
  /** Connection string of a PostgreSQL server, instead of the embedded one. */
  readonly url?: string | undefined
  readonly clock?: Clock | undefined
  readonly random?: ((size: number) => Uint8Array) | undefined
}

export type Store = {
  readonly database: Database
  readonly tasks: TaskQueries
  readonly apiKeys: ApiKeyQueries
  readonly secrets: SecretQueries
  readonly notifications: NotificationQueries
  readonly webhooks: WebhookQueries
  readonly sealedData: SealedDataQueries
  readonly leases: LeaseQueries
  close(): Promise<void>
}

/**
 * Opens the store and brings it to the newest schema.
 *
 * @throws StoreError `in-use` (another process writes the directory), `unavailable`, `schema`
 */
export const openStore = async (options: StoreOptions = {}): Promise<Store> => {
  const clock = options.clock ?? systemClock
  const database =
    options.url === undefined ? await openEmbedded(options.dataDir) : await openServer(options.url)
  try {
    await migrate(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    database,
    tasks: taskQueries(database, clock),
    apiKeys: apiKeyQueries(database, clock, options.random),
    secrets: secretQueries(database, clock),
    notifications: notificationQueries(database, clock),
    webhooks: webhookQueries(database, clock),
    sealedData: sealedDataQueries(database, clock),
    leases: leaseQueries(database),
    close: () => database.close(),
  }
}
