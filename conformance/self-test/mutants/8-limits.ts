import { changedResult, changedStatus, door } from './doors.ts'
import { unchecked } from './keyFaults.ts'
import type { Mutant } from './mutant.ts'

/** Faults in limits (section 8); those of the explorer's pages stand with its lists. */
export const limitMutants: readonly Mutant[] = [
  {
    id: 'limits.threshold-unchecked',
    fault: 'takes a threshold above 100 percent',
    clauses: ['8-02'],
    parts: unchecked('sendTask', 'quorum_threshold_percentage'),
  },
  {
    id: 'limits.simulation-expires',
    fault: 'tells an expiry of a simulation',
    clauses: ['8-07'],
    parts: changedResult('simulatePolicy', (result) =>
      result.evaluation_result
        ? { ...result, evaluation_result: { ...result.evaluation_result, expire_after: 100 } }
        : result,
    ),
  },
  {
    id: 'limits.none',
    fault: 'limits nobody',
    clauses: ['8-09', '8-10'],
    parts: (fire) => ({
      gateway: (deps) => ({
        ...deps,
        limiter: {
          ...deps.limiter,
          take: async (name, limit) => {
            if ((await deps.limiter.take(name, limit)) > 0) fire()
            return 0
          },
        },
      }),
    }),
  },
  {
    id: 'limits.simulation-not-limited',
    fault: 'limits simulatePolicyData like any other method',
    clauses: ['8-10'],
    parts: (fire) => ({
      gateway: (deps) => ({
        ...deps,
        limiter: {
          ...deps.limiter,
          take: async (name, limit) => {
            const wait = await deps.limiter.take(name, limit)
            if (wait === 0 || !name.endsWith(' simulatePolicyData')) return wait
            fire()
            return 0
          },
        },
      }),
    }),
  },
  {
    id: 'limits.refused-with-503',
    fault: 'answers a caller that asks too often with 503',
    clauses: ['8-09'],
    parts: changedStatus(429, 503),
  },
  {
    id: 'limits.no-retry-after',
    fault: 'does not say when to come again',
    clauses: ['8-16'],
    parts: (fire) =>
      door('gatewayDoor', async ({ request }, pass) => {
        const response = await pass(request)
        if (response.status !== 429) return response
        fire()
        const headers = new Headers(response.headers)
        headers.delete('retry-after')
        return new Response(response.body, { status: 429, headers })
      })(),
  },
]
