import { createPublicClient, http, type PublicClient } from 'viem'
import { rpcTransport } from './rpcTransport.ts'

export type ChainClientSettings = {
  readonly rpcUrl: string
  /** Timeout of a request in milliseconds, default 10,000. */
  readonly timeout?: number
  /** Retries after a transport error, default 0: a waiting caller should receive the error soon. */
  readonly retryCount?: number
  /** Replaces the global fetch. */
  readonly fetch?: typeof globalThis.fetch
}

/**
 * A viem client for reads. It caches nothing (a cached block number could make a task refer to a
 * block that is no longer the latest) and polls often, because local chains mine immediately.
 */
export function createChainClient(settings: ChainClientSettings): PublicClient {
  const { rpcUrl, timeout = 10_000, retryCount = 0 } = settings
  return createPublicClient({
    cacheTime: 0,
    pollingInterval: 100,
    transport:
      settings.fetch === undefined
        ? rpcTransport(rpcUrl, { timeout, retryCount })
        : http(rpcUrl, { timeout, retryCount, fetchFn: settings.fetch }),
  })
}
