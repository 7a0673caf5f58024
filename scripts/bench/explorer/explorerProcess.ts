import { pino } from 'pino'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { createExplorerApp } from 'polgate-service/explorer/rest/explorerApp.ts'
import { createExplorerMetrics } from 'polgate-service/explorer/rest/explorerMetrics.ts'
import { createRateLimiter } from 'polgate-service/gateway/rateLimit.ts'
import { serve } from 'polgate-service/gateway/serve.ts'
import { openStore } from 'polgate-service/store/openStore.ts'
import { rateLimitCounters } from 'polgate-service/store/rateLimitCounters.ts'
import { chainId } from './history.ts'

/**
 * The explorer's API on the database at DATABASE_URL, in a separate process, composed as in the
 * service: keys are looked up and counted in the database on every request, and each request is
 * logged. Only the limits are raised. Prints its URL and the keys, and exits when its input closes.
 */
const keyCount = 16
const store = await openStore({ url: process.env.DATABASE_URL as string })
const keys = await Promise.all(
  Array.from({ length: keyCount }, (_, i) =>
    store.apiKeys.create({ name: `bench ${i}`, permissions: ['rpc_read'] }),
  ),
)
const limiter = createRateLimiter({ counters: rateLimitCounters(store.database) })
const app = createExplorerApp({
  brand: defaultBrand,
  version: 'bench',
  apiKeys: store.apiKeys,
  queries: store.explorer,
  networks: { testnet: chainId },
  rateLimit: { perSecond: 1e6, burst: 1e6 },
  limiter,
  clock: Date.now,
  logger: pino({ level: 'info' }, pino.destination('/dev/null')),
  metrics: createExplorerMetrics(),
  corsOrigins: [],
})
const listener = await serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ url: listener.url, keys: keys.map(({ key }) => key) }))
process.stdin.resume().once('end', async () => {
  await listener.close()
  limiter.close()
  await store.close()
  process.exit(0)
})
