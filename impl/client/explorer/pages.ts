import { ResponseMalformedError } from '../errors/transportErrors.ts'
import type { ExplorerCallOptions } from './createExplorerRequest.ts'

/** Of a page of a list; `page` from 1, `size` from 1 to 100, `as_of` an earlier `total`. */
export type PageQuery = {
  readonly page?: number | undefined
  readonly size?: number | undefined
  readonly as_of?: number | undefined
}

export type Page<Row> = {
  readonly total: number
  readonly page: number
  readonly size: number
  readonly results: readonly Row[]
}

export type ReadPage<Row> = (
  query: Readonly<Record<string, string | number | undefined>>,
  options: ExplorerCallOptions,
) => Promise<{
  readonly result: Page<Row>
  readonly next: Readonly<Record<string, string>> | undefined
  /** Whether the page has links at all: then one without `next` is the last. */
  readonly linked: boolean
}>

export type RowsQuery = {
  /** Rows per request, 1 to 100; default 100. */
  readonly size?: number | undefined
}

function checked<Row>(page: Page<Row>): Page<Row> {
  if (Array.isArray(page.results) && Number.isSafeInteger(page.total)) return page
  throw new ResponseMalformedError('it is not a page of a list')
}

/**
 * All rows of a list, as it was at the first page. The links of the explorer name that moment
 * (decision X1), so rows that arrive meanwhile shift nothing. Where an explorer has no links, new
 * rows shift old ones to later pages, where they are skipped; and where rows were removed, those that
 * moved to earlier pages are read again. No row is yielded twice.
 */
export async function* iteratePages<Row>(
  read: ReadPage<Row>,
  idOf: (row: Row) => string,
  { size = 100 }: RowsQuery,
  options: ExplorerCallOptions = {},
): AsyncGenerator<Row, void, undefined> {
  const seen = new Set<string>()
  let query: Readonly<Record<string, string | number | undefined>> = { page: 1, size }
  let page = 1
  let total = Number.NEGATIVE_INFINITY
  for (;;) {
    const { result, next, linked } = await read(query, options)
    const { results, total: now } = checked(result)
    for (const row of results) {
      const id = idOf(row)
      if (seen.has(id)) continue
      seen.add(id)
      yield row
    }
    const removed = Math.max(0, total - now)
    total = now
    if (removed > 0 && page > 1) {
      page = Math.max(1, page - Math.ceil(removed / size))
      query = { ...query, page }
      continue
    }
    page += 1
    if (next !== undefined) query = { ...next, page, size }
    else if (!linked && results.length > 0 && (page - 1) * size < total) query = { page, size }
    else return
  }
}
