import { createPublicClient, http, type PublicClient, type Transport } from 'viem'
import { rpcTransport } from './rpcTransport.ts'

export type ChainClientSettings = {
  readonly rpcUrl: string
  /** Timeout of a request in milliseconds, default 10,000. */
  readonly timeout?: number
  /** Retries after a transport error, default 0: a waiting caller should receive the error soon. */
  readonly retryCount?: number
  /** Replaces the global fetch. */
  readonly fetch?: typeof globalThis.fetch
  /** Runs each request, for instance as a span of a trace. */
  readonly around?: AroundRequest | undefined
}

export type AroundRequest = <T>(method: string, request: () => Promise<T>) => Promise<T>

/**
 * A viem client for reads. It caches nothing (a cached block number could make a task refer to a
 * block that is no longer the latest) and polls often, because local chains mine immediately.
 */
export function createChainClient(settings: ChainClientSettings): PublicClient {
  const { rpcUrl, timeout = 10_000, retryCount = 0, around } = settings
  const transport =
    settings.fetch === undefined
      ? rpcTransport(rpcUrl, { timeout, retryCount })
      : http(rpcUrl, { timeout, retryCount, fetchFn: settings.fetch })
  return createPublicClient({
    cacheTime: 0,
    pollingInterval: 100,
    transport: around === undefined ? transport : transportAround(transport, around),
  })
}

function transportAround(transport: Transport, around: AroundRequest): Transport {
  return (options) => {
    const inner = transport(options)
    const request = ((args, given) =>
      around(args.method, () => inner.request(args, given))) as typeof inner.request
    return { ...inner, request }
  }
}
