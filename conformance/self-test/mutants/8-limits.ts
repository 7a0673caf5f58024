import { unchecked } from './keyFaults.ts'
import type { Mutant } from './mutant.ts'
import { changedResult, changedStatus, wrapListener } from './wrappedListeners.ts'

/** Faults in limits (section 8); those of the explorer's pages are with its lists. */
export const limitMutants: readonly Mutant[] = [
  {
    id: 'limits.threshold-unchecked',
    fault: 'accepts a threshold above 100 percent',
    clauses: ['8-02'],
    parts: unchecked('sendTask', 'quorum_threshold_percentage'),
  },
  {
    id: 'limits.simulation-expires',
    fault: 'reports an expiry of a simulation',
    clauses: ['8-07'],
    parts: changedResult('simulatePolicy', (result) =>
      result.evaluation_result
        ? { ...result, evaluation_result: { ...result.evaluation_result, expire_after: 100 } }
        : result,
    ),
  },
  {
    id: 'limits.none',
    fault: 'has no rate limits',
    clauses: ['8-09', '8-10'],
    parts: (markFired) => ({
      gateway: (deps) => ({
        ...deps,
        limiter: {
          ...deps.limiter,
          take: async (name, limit) => {
            if ((await deps.limiter.take(name, limit)) > 0) markFired()
            return 0
          },
        },
      }),
    }),
  },
  {
    id: 'limits.simulation-not-limited',
    fault: 'has no separate limit for simulatePolicyData',
    clauses: ['8-10'],
    parts: (markFired) => ({
      gateway: (deps) => ({
        ...deps,
        limiter: {
          ...deps.limiter,
          take: async (name, limit) => {
            const wait = await deps.limiter.take(name, limit)
            if (wait === 0 || !name.endsWith(' simulatePolicyData')) return wait
            markFired()
            return 0
          },
        },
      }),
    }),
  },
  {
    id: 'limits.refused-with-503',
    fault: 'answers above the rate limit with 503',
    clauses: ['8-09'],
    parts: changedStatus(429, 503),
  },
  {
    id: 'limits.no-retry-after',
    fault: 'sends no Retry-After',
    clauses: ['8-16'],
    parts: (markFired) =>
      wrapListener('wrapGatewayFetch', async ({ request }, pass) => {
        const response = await pass(request)
        if (response.status !== 429) return response
        markFired()
        const headers = new Headers(response.headers)
        headers.delete('retry-after')
        return new Response(response.body, { status: 429, headers })
      })(),
  },
]
