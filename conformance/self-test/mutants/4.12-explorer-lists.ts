import { everyList, queryAs, requestAs } from './explorerFaults.ts'
import type { Mutant } from './mutant.ts'
import { changedExplorer } from './wrappedListeners.ts'

const ofPolicy = /^\/v1\/policy\/(id|address)\/[^/]+\/task$/
const tasksPath = /^\/v1\/task$/
const policiesPath = /^\/v1\/policy$/
const pageOf = (query: URLSearchParams) => Number(query.get('page') ?? 1)
const sizeOf = (query: URLSearchParams) => Number(query.get('size') ?? 10)

/** Faults in the lists of the explorer (sections 4.12 and 8). */
export const explorerListMutants: readonly Mutant[] = [
  {
    id: 'explorer.page-0-accepted',
    fault: 'treats page 0 as page 1',
    clauses: ['8-05'],
    parts: queryAs((query) => query.get('page') === '0' && query.set('page', '1')),
  },
  {
    id: 'explorer.negative-page-accepted',
    fault: 'treats a negative page as page 1',
    clauses: ['8-05', '7.6-08'],
    parts: queryAs((query) => query.get('page')?.startsWith('-') && query.set('page', '1')),
  },
  {
    id: 'explorer.pages-from-0',
    fault: 'counts pages from 0',
    clauses: ['8-05'],
    parts: everyList((list) => ({ ...list, page: list.page - 1 })),
  },
  {
    id: 'explorer.size-101-accepted',
    fault: 'treats a size above 100 as 100',
    clauses: ['8-06'],
    parts: queryAs((query) => Number(query.get('size')) > 100 && query.set('size', '100')),
  },
  {
    id: 'explorer.size-0-accepted',
    fault: 'treats size 0 as the default',
    clauses: ['8-06'],
    parts: queryAs((query) => query.get('size') === '0' && query.set('size', '10')),
  },
  {
    id: 'explorer.size-no-number',
    fault: 'treats a size that is not a number as the default',
    clauses: ['8-06', '7.6-08'],
    parts: queryAs(
      (query) =>
        query.has('size') && Number.isNaN(Number(query.get('size'))) && query.set('size', '10'),
    ),
  },
  {
    id: 'explorer.default-size-20',
    fault: 'lists 20 rows by default',
    clauses: ['8-06'],
    parts: queryAs((query, path) => {
      const list = tasksPath.test(path) || policiesPath.test(path) || ofPolicy.test(path)
      if (list && !query.has('size')) query.set('size', '20')
    }),
  },
  {
    id: 'explorer.full-page-lacks-last',
    fault: 'drops the last row of a full page',
    clauses: ['4.12-17'],
    parts: everyList((list, query) =>
      list.results.length > 1 && list.results.length === sizeOf(query)
        ? { ...list, results: list.results.slice(0, -1) }
        : list,
    ),
  },
  {
    id: 'explorer.list-is-array',
    fault: 'answers a list with its rows only',
    clauses: ['4.12-15', '4.12-06', '4.12-08'],
    parts: everyList((list) => list.results),
  },
  {
    id: 'explorer.results-are-items',
    fault: 'calls the rows of a page items',
    clauses: ['4.12-15'],
    parts: everyList(({ results, ...list }) => ({ ...list, items: results })),
  },
  {
    id: 'explorer.total-is-text',
    fault: 'returns the total as a string',
    clauses: ['4.12-15'],
    parts: everyList((list) => ({ ...list, total: `${list.total}` })),
  },
  {
    id: 'explorer.total-of-page',
    fault: 'returns the number of rows of the page as total',
    clauses: ['4.12-16'],
    parts: everyList((list) => ({ ...list, total: list.results.length })),
  },
  {
    id: 'explorer.total-is-one-more',
    fault: 'returns a total that is one too high',
    clauses: ['4.12-16'],
    parts: everyList((list) => ({ ...list, total: list.total + 1 })),
  },
  {
    id: 'explorer.last-page-dropped',
    fault: 'drops a last page that is not full',
    clauses: ['4.12-17'],
    parts: everyList((list, query) =>
      pageOf(query) > 1 && list.results.length < sizeOf(query) ? { ...list, results: [] } : list,
    ),
  },
  {
    id: 'explorer.pages-overlap',
    fault: 'starts a later page with the last row of the previous one',
    clauses: ['4.12-17'],
    parts: (markFired) => {
      const last = new Map<string, unknown>()
      return changedExplorer(/./, (list, { request }) => {
        if (!Array.isArray(list?.results)) return list
        const url = new URL(request.url)
        const page = pageOf(url.searchParams)
        const place = (of: number) => `${url.pathname} ${url.searchParams.get('size')} ${of}`
        last.set(place(page), list.results.at(-1))
        const before = last.get(place(page - 1))
        if (before === undefined || list.results.length === 0) return list
        return { ...list, results: [before, ...list.results.slice(0, -1)] }
      })(markFired)
    },
  },
  {
    id: 'explorer.first-row-of-each-page-lost',
    fault: 'skips a row between two pages',
    clauses: ['4.12-17'],
    parts: everyList((list, query) =>
      pageOf(query) > 1 ? { ...list, results: list.results.slice(1) } : list,
    ),
  },
  {
    id: 'explorer.page-ignored',
    fault: 'returns the first page for every page number',
    clauses: ['4.12-17'],
    parts: queryAs((query) => Number(query.get('page')) > 1 && query.set('page', '1')),
  },
  {
    id: 'explorer.list-of-policy-id-is-all',
    fault: 'lists all tasks in the list of a policy id',
    clauses: ['4.12-09', '4.12-18'],
    parts: listedInstead(/^\/v1\/policy\/id\/0x[0-9a-f]{64}\/task$/i),
  },
  {
    id: 'explorer.list-of-address-is-all',
    fault: 'lists all tasks in the list of a policy’s address',
    clauses: ['4.12-10', '4.12-18'],
    parts: listedInstead(/^\/v1\/policy\/address\/0x[0-9a-f]{40}\/task$/i),
  },
  {
    id: 'explorer.list-of-policy-id-missing',
    fault: 'has no list of the tasks of a policy id',
    clauses: ['4.12-09'],
    parts: changedExplorer(/^\/v1\/policy\/id\//, () => ({ detail: 'Not Found' }), 404),
  },
  {
    id: 'explorer.list-of-address-missing',
    fault: 'has no list of the tasks of a policy’s address',
    clauses: ['4.12-10'],
    parts: changedExplorer(/^\/v1\/policy\/address\//, () => ({ detail: 'Not Found' }), 404),
  },
  {
    id: 'explorer.newest-row-late',
    fault: 'shows a row of a list only after the next one was added',
    clauses: ['4.12-19', '4.12-20'],
    parts: everyList((list, query) =>
      pageOf(query) === 1
        ? { ...list, total: Math.max(0, list.total - 1), results: list.results.slice(1) }
        : list,
    ),
  },
]

/** Returns the list of all tasks for the list of a policy. */
function listedInstead(path: RegExp) {
  return requestAs((url) => {
    if (path.test(url.pathname)) url.pathname = '/v1/task'
  })
}
