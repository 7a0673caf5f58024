import { Type } from '@sinclair/typebox'
import { startWithCleanup } from 'polgate-lib/async/cleanupStack.ts'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { systemClock } from 'polgate-protocol/clock.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { configParser, type DeepPartial } from './configParts.ts'
import { configHint, ServiceConfig } from './serviceConfig.ts'
import { openIndexing } from './serviceExplorer.ts'
import { openLogging, withTraces } from './serviceLogging.ts'
import type { ServiceParts } from './serviceParts.ts'
import { openStore } from './store/openStore.ts'

/** The members of a service configuration that an indexer uses. */
export const indexerMembers = [
  'brand',
  'logLevel',
  'store',
  'explorer',
  'content',
  'telemetry',
] as const

const IndexerConfig = Type.Pick(ServiceConfig, indexerMembers, { additionalProperties: false })
type IndexerConfigInput = DeepPartial<Pick<ServiceConfig, (typeof indexerMembers)[number]>>

const parse = configParser(IndexerConfig, 'indexer', configHint)

export type IndexerService = {
  /** Ids of the chains that it indexes, or is on standby for. */
  readonly chains: readonly number[]
  /** Releases its leases and stops. Idempotent. */
  close(): Promise<void>
}

/**
 * An indexer without a gateway, beside gateways on the same database (section 4.12).
 *
 * @throws ServiceError for an invalid configuration, StoreError for an unusable store
 */
export async function createIndexerService(
  input: IndexerConfigInput,
  given: ServiceParts = {},
): Promise<IndexerService> {
  const config = parse(input)
  const networks = Object.values(config.explorer?.networks ?? {})
  if (config.explorer === undefined || networks.length === 0)
    throw refused('explorer.networks is empty', 'Set explorer.networks.')
  if (config.store.url === undefined && config.store.dataDir === undefined)
    throw refused('store is not configured', 'Set store.url or DATABASE_URL.')
  const explorer = config.explorer
  return startWithCleanup(async (cleanup) => {
    const { logger, telemetry } = await openLogging(config, 'indexer', given.logger)
    cleanup.defer(async () => telemetry?.close())
    const clock = given.clock ?? systemClock
    const store = given.store ?? (await openStore({ ...config.store, clock }))
    cleanup.defer(() => store.close())
    const onClose = cleanup.defer
    const parts = await withTraces(telemetry, { parts: given, store, onClose })
    openIndexing({
      // A gateway with the same configuration may have indexing switched off.
      config: { ...config, explorer: { ...explorer, indexer: true } },
      brand: { ...defaultBrand, ...config.brand },
      onClose,
      ...{ parts, version: packageVersion, clock, logger, store },
    })
    return {
      chains: [...new Set(networks.map(({ chainId }) => chainId))],
      close: cleanup.close,
    }
  })
}

const refused = (what: string, hint: string) =>
  new ServiceError(`Invalid indexer configuration: ${what}`, {
    code: -32603,
    clause: 'the configuration',
    hint,
  })
