import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import { everyTask, queryAs, refusedAs, requestAs, stats } from './explorerFaults.ts'
import type { MarkFired, Mutant } from './mutant.ts'
import { answered, changedExplorer, wrapListener } from './wrappedListeners.ts'

const network = 'x-protocol-network'
const detail = /^\/v1\/task\/./
const policy = /^\/v1\/policy\/0x[0-9a-f]{40}$/i
const unknown = (path: RegExp) => (status: number, _: unknown, asked: string) =>
  status === 404 && path.test(asked)

const networkAs = (change: (name: string | null) => string | undefined) =>
  requestAs((_, headers) => {
    const name = change(headers.get(network))
    if (name === undefined) return
    if (name === '') headers.delete(network)
    else headers.set(network, name)
  })

/** Counts of tasks without the failed ones. */
const uncounted = (markFired: MarkFired): ServiceParts => ({
  explorer: (deps) => ({
    ...deps,
    queries: {
      ...deps.queries,
      async stats(chainId, windows) {
        const { start, end } = windows.tasks
        const all = { page: 1, size: 1_000_000 }
        const [counts, { results }] = await Promise.all([
          deps.queries.stats(chainId, windows),
          deps.queries.tasks(chainId, all),
        ])
        const failed = results.filter(({ error, task_created_at }) => {
          const at = new Date(task_created_at ?? 0)
          return error !== null && at >= start && (end === undefined || at <= end)
        })
        if (failed.length > 0) markFired()
        return { ...counts, total_tasks: counts.total_tasks - failed.length }
      },
    },
  }),
})

/** Faults in the endpoints of the explorer (sections 4.12 and 9). */
export const explorerMutants: readonly Mutant[] = [
  {
    id: 'explorer.another-version',
    fault: 'serves its paths below /v2',
    clauses: ['4.12-01', '9-01'],
    parts: requestAs((url) => {
      url.pathname = url.pathname.replace(/^\/v(\d)/, (_, n) => `/v${Number(n) - 1}`)
    }),
  },
  {
    id: 'explorer.network-ignored',
    fault: 'ignores the network header',
    clauses: ['4.12-02'],
    parts: networkAs((name) => (name === null ? undefined : '')),
  },
  {
    id: 'explorer.base-sepolia-unknown',
    fault: 'rejects base-sepolia',
    clauses: ['4.12-02'],
    parts: networkAs((name) => (name === 'base-sepolia' ? 'basesepolia' : undefined)),
  },
  {
    id: 'explorer.wrong-network-is-default',
    fault: 'treats an unknown network as testnet',
    clauses: ['4.12-02', '7.6-02'],
    parts: networkAs((name) =>
      name !== null && !['testnet', 'base-sepolia', 'mainnet', 'base'].includes(name)
        ? 'testnet'
        : undefined,
    ),
  },
  {
    id: 'explorer.networks-by-prefix',
    fault: 'accepts any value that starts with the name of a network',
    clauses: ['4.12-02'],
    parts: networkAs((name) => {
      const names = ['base-sepolia', 'testnet', 'mainnet', 'base']
      const found = names.find((each) => name?.startsWith(each))
      return found === name ? undefined : found
    }),
  },
  {
    id: 'explorer.default-is-mainnet',
    fault: 'uses mainnet without a network header',
    clauses: ['4.12-03'],
    parts: networkAs((name) => (name === null ? 'mainnet' : undefined)),
  },
  {
    id: 'explorer.plain-text',
    fault: 'sends its JSON as text/plain',
    clauses: ['4.12-04'],
    parts: (markFired) =>
      wrapListener('wrapExplorerFetch', async ({ request }, pass) => {
        const response = await pass(request)
        markFired()
        const headers = new Headers(response.headers)
        headers.set('content-type', 'text/plain')
        return new Response(response.body, { status: response.status, headers })
      })(),
  },
  {
    id: 'explorer.task-in-array',
    fault: 'answers a task as an array of one element',
    clauses: ['4.12-05'],
    parts: changedExplorer(detail, (task) => ('id' in task ? [task] : task)),
  },
  {
    id: 'explorer.policy-in-array',
    fault: 'answers a policy as an array of one element',
    clauses: ['4.12-07'],
    parts: changedExplorer(policy, (each) => ('address' in each ? [each] : each)),
  },
  {
    id: 'explorer.tasks-without-list',
    fault: 'has no list of all tasks',
    clauses: ['4.12-06'],
    parts: changedExplorer(/^\/v1\/task$/, () => ({ detail: 'Not Found' }), 404),
  },
  {
    id: 'explorer.policies-without-list',
    fault: 'has no list of policies',
    clauses: ['4.12-08'],
    parts: changedExplorer(/^\/v1\/policy$/, () => ({ detail: 'Not Found' }), 404),
  },
  {
    id: 'explorer.counts-are-texts',
    fault: 'returns counts as strings',
    clauses: ['4.12-11'],
    parts: stats((counts) => ({
      total_tasks: `${counts.total_tasks}`,
      total_policies: `${counts.total_policies}`,
    })),
  },
  {
    id: 'explorer.window-not-required',
    fault: 'counts from the beginning if task_window_start is missing',
    clauses: ['4.12-12'],
    parts: queryAs((query, path) => {
      if (path === '/v1/stats' && !query.has('task_window_start'))
        query.set('task_window_start', '1970-01-01T00:00:00Z')
    }),
  },
  {
    id: 'explorer.window-in-seconds-accepted',
    fault: 'treats a start of the window that is not a time as the beginning',
    clauses: ['4.12-12'],
    parts: queryAs((query) => {
      const start = query.get('task_window_start')
      if (start !== null && Number.isNaN(Date.parse(start)))
        query.set('task_window_start', '1970-01-01T00:00:00Z')
    }),
  },
  {
    id: 'explorer.window-end-required',
    fault: 'requires an end of the window too',
    clauses: ['4.12-13'],
    parts: queryAs((query, path) => {
      if (path === '/v1/stats' && !query.has('task_window_end')) query.delete('task_window_start')
    }),
  },
  {
    id: 'explorer.window-start-ignored',
    fault: 'counts from the beginning, ignoring the start of the window',
    clauses: ['4.12-14'],
    parts: queryAs((query) => {
      const start = query.get('task_window_start')
      if (start !== null && !Number.isNaN(Date.parse(start)))
        query.set('task_window_start', '1970-01-01T00:00:00Z')
    }),
  },
  {
    id: 'explorer.window-end-ignored',
    fault: 'counts up to now, ignoring the end of the window',
    clauses: ['4.12-14'],
    parts: queryAs((query) => query.delete('task_window_end')),
  },
  {
    id: 'explorer.policy-windows-ignored',
    fault: 'counts all policies, ignoring their window',
    clauses: ['4.12-14'],
    parts: queryAs((query) => {
      query.delete('policy_window_start')
      query.delete('policy_window_end')
    }),
  },
  {
    id: 'explorer.counts-one-more',
    fault: 'counts one task too many',
    clauses: ['4.12-14'],
    parts: stats((counts) => ({ ...counts, total_tasks: counts.total_tasks + 1 })),
  },
  {
    id: 'explorer.counts-without-failed',
    fault: 'lists failed tasks, but does not count them',
    clauses: ['4.12-14'],
    parts: uncounted,
  },
  {
    id: 'explorer.unknown-task-is-null',
    fault: 'answers an unknown task with 200 and null',
    clauses: ['4.12-21', '7.6-06'],
    parts: refusedAs(unknown(detail), () => ({ status: 200, body: null })),
  },
  {
    id: 'explorer.unknown-policy-is-empty',
    fault: 'answers an unknown policy with 200 and an empty object',
    clauses: ['4.12-22', '7.6-07'],
    parts: refusedAs(unknown(policy), () => ({ status: 200, body: {} })),
  },
  {
    id: 'explorer.other-result-than-answered',
    fault: 'shows another result than that of the task',
    clauses: ['4.12-36'],
    parts: everyTask((task) => ({
      ...task,
      evaluation_result: task.evaluation_result && `0x${'00'.repeat(32)}`,
    })),
  },
  {
    id: 'explorer.error-without-text',
    fault: 'shows another error for a failed task than its caller received',
    clauses: ['4.12-36'],
    parts: everyTask((task) => ({ ...task, error: task.error && 'failed' })),
  },
  {
    id: 'explorer.empty-page-is-404',
    fault: 'answers 404 for a network without rows',
    clauses: ['4.12-02'],
    parts: (markFired) =>
      wrapListener('wrapExplorerFetch', async ({ request }, pass) => {
        const response = await pass(request)
        const body = JSON.parse((await response.clone().text()) || 'null')
        if (body?.total !== 0) return response
        markFired()
        return answered(response, JSON.stringify({ detail: 'Not Found' }), 404)
      })(),
  },
]
