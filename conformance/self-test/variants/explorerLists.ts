import type { ExplorerPage } from 'polgate-protocol/explorer.ts'
import type { ExplorerQueries } from 'polgate-service/store/explorer/explorerQueries.ts'
import type { PageOptions } from 'polgate-service/store/explorer/pages.ts'
import { answered, type Json, wrapListener } from '../mutants/wrappedListeners.ts'
import { queries } from './explorerRows.ts'
import type { Variant } from './variant.ts'

/** Other lists of the explorer (section 4.12): their order, their pages, their rows and links. */

type List<T> = (page: PageOptions) => Promise<ExplorerPage<T>>
type Relist = <T extends object>(list: List<T>, name: string) => List<T>

/** Replaces every list; `name` is the same for the pages of one list. */
const lists = (relist: Relist): NonNullable<Variant['parts']> =>
  queries(
    (inner): Partial<ExplorerQueries> => ({
      tasks: (chain, page) => relist((p) => inner.tasks(chain, p), `${chain}`)(page),
      policies: (chain, page) => relist((p) => inner.policies(chain, p), `${chain} policies`)(page),
      tasksOfPolicyId: (chain, id, page) =>
        relist((p) => inner.tasksOfPolicyId(chain, id, p), `${chain} ${id}`)(page),
      tasksOfPolicyAddress: (chain, address, page) =>
        relist((p) => inner.tasksOfPolicyAddress(chain, address, p), `${chain} ${address}`)(page),
    }),
  )

const skipped = ({ page, size }: PageOptions) => Math.min((page - 1) * size, 2 ** 52)

/** The rows from `start` up to `end` of a list as it was with `asOf` rows. */
async function rowsOf<T>(list: List<T>, start: number, end: number, asOf: number): Promise<T[]> {
  const size = end - start
  if (size <= 0) return []
  const page = Math.floor(start / size) + 1
  const rows = [...(await list({ page, size, asOf })).results]
  const before = start - (page - 1) * size
  if (before > 0) rows.push(...(await list({ page: page + 1, size, asOf })).results)
  return rows.slice(before, before + size)
}

const oldestFirst: Relist = (list) => async (asked) => {
  const { page, size, asOf } = asked
  const { total } = await list({ page: 1, size: 1, ...(asOf !== undefined && { asOf }) })
  const start = Math.min(skipped(asked), total)
  const end = Math.min(start + size, total)
  const rows = await rowsOf(list, total - end, total - start, total)
  return { total, page, size, results: rows.reverse() }
}

const most = 1_000_000

/** Sorted by id: a new row can be on any page. */
const byId: Relist = (list) => async (asked) => {
  const { page, size, asOf } = asked
  const all = await list({ page: 1, size: most, ...(asOf !== undefined && { asOf }) })
  const keyOf = (row: Json) => String(row.id ?? row.address).toLowerCase()
  const rows = [...all.results].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const start = skipped(asked)
  return { total: all.total, page, size, results: rows.slice(start, start + size) }
}

const lastAgain: Relist = (list) => async (asked) => {
  const got = await list(asked)
  const last = Math.max(1, Math.ceil(got.total / asked.size))
  return asked.page > last ? list({ ...asked, page: last }) : got
}

/** How long pages show the list as it was when the first one was read, milliseconds. */
const readingMs = 2_000

function asOfFirstPage(): Relist {
  const readings = new Map<string, { readonly total: number; readonly at: number }>()
  return (list, name) => async (asked) => {
    const reading = `${name} ${asked.size}`
    if (asked.page === 1 || asked.asOf !== undefined) {
      const got = await list(asked)
      if (asked.page === 1) readings.set(reading, { total: got.total, at: performance.now() })
      return got
    }
    const { total, at } = readings.get(reading) ?? { total: 0, at: 0 }
    const isRecent = performance.now() - at < readingMs && total > 0
    return list(isRecent ? { ...asked, asOf: total } : asked)
  }
}

type Policy = NonNullable<Awaited<ReturnType<ExplorerQueries['policy']>>>

/** Keeps the policies of dropped blocks, as the oldest ones. */
const keepingDropped: NonNullable<Variant['parts']> = () => {
  let inner: ExplorerQueries | undefined
  const everything = { page: 1, size: most }
  const dropped = new Map<number, Policy[]>()
  const kept = async (own: ExplorerQueries, chain: number): Promise<Policy[]> => {
    const rows = dropped.get(chain) ?? []
    const again = await Promise.all(rows.map(({ address }) => own.policy(chain, address)))
    return rows.filter((_, at) => again[at] === undefined)
  }
  return {
    indexer: (deps) => ({
      ...deps,
      index: {
        ...deps.index,
        async rollBack(chain, block) {
          const before = (await inner?.policies(chain, everything))?.results ?? []
          await deps.index.rollBack(chain, block)
          const after = (await inner?.policies(chain, everything))?.results ?? []
          const left = new Set(after.map(({ address }) => address))
          const gone = before.filter(({ address }) => !left.has(address))
          dropped.set(chain, [...(dropped.get(chain) ?? []), ...gone])
        },
      },
    }),
    ...queries((own) => {
      inner = own
      return {
        policy: async (chain, address) =>
          (await own.policy(chain, address)) ??
          (await kept(own, chain)).find((row) => row.address === address.toLowerCase()),
        async policies(chain, asked) {
          const old = await kept(own, chain)
          const asOf = asked.asOf === undefined ? undefined : Math.max(0, asked.asOf - old.length)
          const got = await own.policies(chain, { ...asked, asOf })
          const start = Math.max(0, skipped(asked) - got.total)
          const rest = old.slice(start, start + asked.size - got.results.length)
          return { ...got, total: got.total + old.length, results: [...got.results, ...rest] }
        },
        async stats(chain, windows) {
          const counts = await own.stats(chain, windows)
          const { start = new Date(0), end = new Date(8.64e15) } = windows.policies
          const within = (await kept(own, chain)).filter(({ policy_deployed_at }) => {
            const at = new Date(policy_deployed_at ?? 0)
            return at >= start && at <= end
          })
          return { ...counts, total_policies: counts.total_policies + within.length }
        },
      }
    })(),
  }
}

/** Changes the links of pages. */
const links =
  (change: (link: string, url: URL) => string | undefined): NonNullable<Variant['parts']> =>
  () =>
    wrapListener('wrapExplorerFetch', async ({ request }, pass) => {
      const response = await pass(request)
      const link = response.headers.get('link')
      if (link === null) return response
      const instead = change(link, new URL(request.url))
      const linked = answered(response, await response.text())
      if (instead === undefined) linked.headers.delete('link')
      else linked.headers.set('link', instead)
      return linked
    })()

const ofPolicy = /^\/v1\/policy\/(id|address)\/[^/]+\/task$/

export const explorerListVariants: readonly Variant[] = [
  {
    id: 'explorer.oldest-first',
    clauses: ['4.12-23', '4.12-25'],
    choice: 'lists the oldest rows first',
    parts: lists(oldestFirst),
  },
  {
    id: 'explorer.rows-by-id',
    clauses: ['4.12-23', '4.12-25'],
    choice: 'lists tasks by their ids and policies by their addresses',
    parts: lists(byId),
  },
  {
    id: 'explorer.last-page-again',
    clauses: ['4.12-24'],
    choice: 'answers a page past the last with the last one',
    parts: lists(lastAgain),
  },
  {
    id: 'explorer.pages-of-one-moment',
    clauses: ['4.12-25'],
    choice: 'shows in later pages the list as it was when its first page was read',
    parts: () => lists(asOfFirstPage())(),
  },
  {
    id: 'explorer.no-list-of-unknown-policy',
    clauses: ['4.12-26'],
    choice: 'answers 404 for the tasks of an id or address of which it knows no policy',
    parts: () =>
      wrapListener('wrapExplorerFetch', async ({ request }, pass) => {
        const url = new URL(request.url)
        const response = await pass(request)
        if (response.status !== 200 || !ofPolicy.test(url.pathname)) return response
        const { total } = (await response.clone().json()) as Json
        if (total !== 0) return response
        const { pathname } = url
        if (pathname.includes('/address/')) {
          url.pathname = pathname.replace('/address', '').replace(/\/task$/, '')
          url.search = ''
          if ((await pass(new Request(url, request))).status === 200) return response
        }
        return answered(response, JSON.stringify({ detail: 'Policy Template not found.' }), 404)
      })(),
  },
  {
    id: 'explorer.dropped-policies-kept',
    clauses: ['4.12-31'],
    choice: 'keeps showing and counting policies of blocks that a reorganization dropped',
    parts: keepingDropped,
  },
  {
    id: 'explorer.absolute-links',
    clauses: ['4.12-35'],
    choice: 'links pages by whole URLs, and each by its number alone',
    parts: links((link, url) =>
      link.replace(/<\?([^>]*)>; rel="(\w+)"/g, (_, query: string, relation: string) => {
        const target = new URL(url.pathname, 'https://explorer.example')
        for (const [name, value] of new URLSearchParams(query))
          if (name !== 'as_of') target.searchParams.set(name, value)
        return `<${target}>; title="${relation} page"; rel=${relation}`
      }),
    ),
  },
  {
    id: 'explorer.no-links',
    clauses: ['4.12-35'],
    choice: 'does not link its pages',
    parts: links(() => undefined),
  },
]
