import { createPublicClient, http, type PublicClient } from 'viem'
import { rpcTransport } from './rpcTransport.ts'

export type ChainClientSettings = {
  readonly rpcUrl: string
  /** Milliseconds a request may take, default 10,000. */
  readonly timeout?: number
  /** Retries of a request that failed on the way, default 0: a caller that waits should know soon. */
  readonly retryCount?: number
  /** What requests are sent with, where something stands in their way. */
  readonly fetch?: typeof globalThis.fetch
}

/**
 * A viem client for reading. It keeps nothing between calls (a cached block number would let a task
 * refer to a block that is no longer the latest) and polls often, as local chains mine at once.
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
