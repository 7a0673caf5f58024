import { type Clock, systemClock } from 'polgate-protocol/clock.ts'
import { type ApiKeyQueries, apiKeyQueries } from './apiKeys.ts'
import type { Database } from './database.ts'
import { type FingerprintQueries, fingerprintQueries } from './envelopeFingerprints.ts'
import { type ExplorerStore, explorerStore } from './explorer/explorerStore.ts'
import { type GasBurnerQueries, gasBurnerQueries } from './gasBurners.ts'
import { type LeaseQueries, leaseQueries } from './leases.ts'
import { migrate } from './migrate.ts'
import { type NotificationQueries, notificationQueries } from './notifications.ts'
import { type DatabaseLocation, openDatabase } from './openDatabase.ts'
import { type PostingQueries, postingQueries } from './postings.ts'
import { type SealedDataQueries, sealedDataQueries } from './sealedData.ts'
import { type SecretQueries, secretQueries } from './secrets.ts'
import { type OwnershipQueries, ownershipQueries } from './taskOwnership.ts'
import { type TaskQueries, taskQueries } from './tasks.ts'
import { type TaskTraceQueries, taskTraceQueries } from './taskTraces.ts'
import { type WebhookQueries, webhookQueries } from './webhooks.ts'

export type StoreSources = {
  readonly clock?: Clock | undefined
  readonly random?: ((size: number) => Uint8Array) | undefined
}

export type StoreOptions = DatabaseLocation & StoreSources

export type Store = {
  readonly database: Database
  readonly tasks: TaskQueries
  readonly ownership: OwnershipQueries
  readonly postings: PostingQueries
  readonly gasBurners: GasBurnerQueries
  readonly apiKeys: ApiKeyQueries
  readonly secrets: SecretQueries
  readonly fingerprints: FingerprintQueries
  readonly notifications: NotificationQueries
  readonly webhooks: WebhookQueries
  readonly sealedData: SealedDataQueries
  readonly leases: LeaseQueries
  readonly taskTraces: TaskTraceQueries
  readonly explorer: ExplorerStore
  close(): Promise<void>
}

/**
 * Opens the store and migrates it to the newest schema.
 *
 * @throws StoreError `in-use` (another process writes the directory), `unavailable`, `schema`
 */
export async function openStore(options: StoreOptions = {}): Promise<Store> {
  const database = await openDatabase(options)
  try {
    await migrate(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return storeOn(database, options)
}

/** The store on a database of the newest schema. */
export const storeOn = (
  database: Database,
  { clock = systemClock, random }: StoreSources = {},
): Store => ({
  database,
  tasks: taskQueries(database, clock),
  ownership: ownershipQueries(database),
  postings: postingQueries(database, clock),
  gasBurners: gasBurnerQueries(database, clock),
  apiKeys: apiKeyQueries(database, clock, random),
  secrets: secretQueries(database, clock),
  fingerprints: fingerprintQueries(database),
  notifications: notificationQueries(database, clock),
  webhooks: webhookQueries(database, clock),
  sealedData: sealedDataQueries(database, clock),
  leases: leaseQueries(database),
  taskTraces: taskTraceQueries(database),
  explorer: explorerStore(database, clock),
  close: () => database.close(),
})
