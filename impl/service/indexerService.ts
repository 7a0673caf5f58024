import { Type } from '@sinclair/typebox'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { systemClock } from 'polgate-protocol/clock.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { configParser, type DeepPartial } from './configParts.ts'
import { createLogger } from './logging/createLogger.ts'
import { configHint, ServiceConfig } from './serviceConfig.ts'
import { openIndexing } from './serviceExplorer.ts'
import type { ServiceContext, ServiceParts } from './serviceParts.ts'
import { openStore } from './store/openStore.ts'

/** What an indexer reads of the configuration of a service. */
export const indexerMembers = ['brand', 'logLevel', 'store', 'explorer', 'content'] as const

const IndexerConfig = Type.Pick(ServiceConfig, indexerMembers, { additionalProperties: false })
type IndexerConfigInput = DeepPartial<Pick<ServiceConfig, (typeof indexerMembers)[number]>>

const parse = configParser(IndexerConfig, 'indexer', configHint)

export type IndexerService = {
  /** The ids of those that it follows, or stands by for. */
  readonly chains: readonly number[]
  /** Gives back its leases and ends. May be called again. */
  close(): Promise<void>
}

/**
 * The indexer alone, beside gateways on the same database (section 4.12).
 *
 * @throws ServiceError for a configuration that is none, StoreError for a store that cannot be used
 */
export async function createIndexerService(
  input: IndexerConfigInput,
  parts: ServiceParts = {},
): Promise<IndexerService> {
  const config = parse(input)
  const networks = Object.values(config.explorer?.networks ?? {})
  if (config.explorer === undefined || networks.length === 0)
    throw refused('it names no network to follow', 'Write explorer.networks into it.')
  if (config.store.url === undefined && config.store.dataDir === undefined)
    throw refused('it names no store', 'Write store.url into it, or set DATABASE_URL.')
  const logger = parts.logger ?? createLogger({ level: config.logLevel })
  const clock = parts.clock ?? systemClock
  const store = parts.store ?? (await openStore({ ...config.store, clock }))
  const closers: Parameters<ServiceContext['onClose']>[0][] = [() => store.close()]
  openIndexing({
    // A gateway beside it may leave the work to it, in the same configuration.
    config: { ...config, explorer: { ...config.explorer, indexer: true } },
    brand: { ...defaultBrand, ...config.brand },
    onClose: (closer) => closers.push(closer),
    ...{ parts, version: packageVersion, clock, logger, store },
  })
  return {
    chains: [...new Set(networks.map(({ chainId }) => chainId))],
    async close() {
      for (const closer of closers.splice(0).reverse()) await closer()
    },
  }
}

const refused = (what: string, hint: string) =>
  new ServiceError(`The configuration is none of an indexer: ${what}`, {
    code: -32603,
    clause: 'the configuration',
    hint,
  })
