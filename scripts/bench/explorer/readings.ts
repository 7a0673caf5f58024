import type { Store } from 'polgate-service/store/openStore.ts'
import { chainId, policyAddress, policyId, randomFrom, taskId, timeOfBlock } from './history.ts'

/** Requests of one kind; `paths` are requested in turn. */
export type Reading = { readonly name: string; readonly paths: readonly string[] }

/** Milliseconds; average bytes of a response. */
export type ReadingResult = {
  readonly name: string
  readonly p50: number
  readonly p99: number
  readonly perSecond: number
  readonly bytes: number
  /** CPU milliseconds per response: of the API's process, and of PostgreSQL. */
  readonly api?: number
  readonly postgres?: number
}

const iso = (seconds: number) => encodeURIComponent(new Date(seconds * 1000).toISOString())

/**
 * The seven paths: lists at the first page, page 1,000 (or the last one) and the last page; single
 * rows and statistics at random places.
 */
export async function readings(store: Store, policies: number): Promise<Reading[]> {
  const random = randomFrom(11)
  const draw = <T>(make: () => T): T[] => Array.from({ length: 512 }, make)
  const below = (count: number) => Math.floor(random() * count)
  const { explorer } = store
  const one = { page: 1, size: 1 }
  const lists = [
    { path: '/v1/task', total: (await explorer.tasks(chainId, one)).total },
    { path: '/v1/policy', total: (await explorer.policies(chainId, one)).total },
    {
      path: `/v1/policy/id/${policyId(0)}/task`,
      total: (await explorer.tasksOfPolicyId(chainId, policyId(0), one)).total,
      name: '/v1/policy/id/{id}/task',
    },
    {
      path: `/v1/policy/address/${policyAddress(0)}/task`,
      total: (await explorer.tasksOfPolicyAddress(chainId, policyAddress(0), one)).total,
      name: '/v1/policy/address/{address}/task',
    },
  ]
  // Failed ones are at the end and have no block.
  const tasks = (lists[0]?.total ?? 0) * 0.9
  const pages = lists.flatMap(({ path, name, total }) =>
    [10, 100].flatMap((size) => {
      const last = Math.max(1, Math.ceil(total / size))
      return (
        [
          ['first', 1],
          ['1,000', Math.min(1000, last)],
          ['last', last],
        ] as const
      ).map(([word, page]) => ({
        name: `${name ?? path} size ${size} page ${word}`,
        // The last page is not full; the one before it is as deep and full.
        paths: [`${path}?page=${word === 'last' ? Math.max(1, last - 1) : page}&size=${size}`],
      }))
    }),
  )
  const blocks = tasks / 20
  return [
    {
      name: '/v1/task/{id}',
      paths: draw(() => `/v1/task/${taskId(below(tasks))}`),
    },
    {
      name: '/v1/policy/{address}',
      paths: draw(() => `/v1/policy/${policyAddress(below(policies))}`),
    },
    {
      name: '/v1/stats',
      paths: draw(() => {
        const start = below(blocks)
        const window = `${iso(timeOfBlock(start))}&task_window_end=${iso(timeOfBlock(start + below(blocks)))}`
        return `/v1/stats?task_window_start=${window}`
      }),
    },
    ...pages,
  ]
}
