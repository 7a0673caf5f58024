import type { Answer } from '../../core/answer.ts'
import type { CheckContext } from '../../core/context.ts'
import { expectEqual, expectObject, expectThat, type JsonObject } from '../../core/expect.ts'
import type { ExplorerOptions } from '../../core/gateway.ts'
import { array, expectShape, natural, positive, type Rule } from '../assertions/shape.ts'
import { ask, expectFound, isUnknownList, writings } from './explorer.ts'

/** A page of a list. */
export type Page = {
  readonly total: number
  readonly page: number
  readonly size: number
  readonly results: readonly JsonObject[]
}

const pageRules: Record<string, Rule> = {
  total: natural,
  page: positive,
  size: positive,
  results: array,
}

/** A page with the format of section 4.12, the requested page and size, and its rows. */
export function expectPage(answer: Answer, asked: { page: number; size: number }): Page {
  const body = expectFound(answer)
  expectShape(body, pageRules, 'the page')
  const page = body as unknown as Page
  const last = Math.max(1, Math.ceil(page.total / asked.size))
  // What a page past the last contains is open (clause 4.12-24): it may be the last one again.
  const isLastAgain = asked.page > last && page.page === last
  const expected = isLastAgain ? { ...asked, page: last } : asked
  expectEqual({ page: page.page, size: page.size }, expected, 'page and size')
  for (const row of page.results) expectObject(row, 'a row of results')
  const most = Math.min(asked.size, Math.max(0, page.total - (asked.page - 1) * asked.size))
  // Rows may be added between count and query: only a full page is certain.
  const holds =
    page.results.length <= asked.size && (most < asked.size || page.results.length === most)
  expectThat(
    holds,
    'the number of rows',
    `${most} of a total of ${page.total}`,
    page.results.length,
  )
  return page
}

export async function fetchPage(
  t: CheckContext,
  path: string,
  page: number,
  size: number,
  options: Omit<ExplorerOptions, 'query'> & { readonly query?: Record<string, string> } = {},
): Promise<Page> {
  const query = { ...options.query, page, size }
  return expectPage(await ask(t, path, { ...options, query }), { page, size })
}

/** Pages that are read of a list with more of them: half at its start, half at its end. */
const mostPages = 20

/** Rows of a list; `whole` unless it has more than were read. */
export type ListRows = { readonly rows: readonly JsonObject[]; readonly whole: boolean }

/**
 * A list, page by page, until one is not full. Of a long one the first and the last pages: a target may
 * have been in use for years, and the order of lists is open.
 */
export async function readList(t: CheckContext, path: string, size = 100): Promise<ListRows> {
  const rows: JsonObject[] = []
  const read = async (page: number) => {
    const got = await fetchPage(t, path, page, size)
    rows.push(...got.results)
    return got
  }
  const first = await read(1)
  const last = Math.ceil(first.total / size)
  if (last > mostPages) {
    for (let page = 2; page <= mostPages / 2; page++) await read(page)
    for (let page = last - mostPages / 2 + 1; page <= last; page++) await read(page)
    t.observe(
      `${path} has ${first.total} rows: the first and last ${(mostPages / 2) * size} were read`,
    )
    return { rows, whole: false }
  }
  let { results, total } = first
  for (let page = 2; results.length === size && (page - 1) * size < total; page++)
    ({ results, total } = await read(page))
  return { rows, whole: true }
}

/** The rows of a list, of a long one as many as `readList` reads. */
export const callAll = async (t: CheckContext, path: string): Promise<readonly JsonObject[]> =>
  (await readList(t, path)).rows

/**
 * The same, each row once: where rows are added meanwhile, the last of a page is the first of the next
 * one too. For checks that count; whether a settled list repeats a row is checked elsewhere.
 */
export async function distinctRows(t: CheckContext, path: string): Promise<ListRows> {
  const { rows, whole } = await readList(t, path)
  return { rows: [...new Map(rows.map((row) => [row.id, row])).values()], whole }
}

/** The twin of invalid requests: the list of tasks with default parameters. */
export const acceptedList = async (t: CheckContext): Promise<Page> =>
  expectPage(await t.once('explorer list', () => ask(t, '/task')), { page: 1, size: 10 })

/** The path of the tasks of a policy, with its id or address as the explorer finds it. */
export async function listPath(
  t: CheckContext,
  kind: 'id' | 'address',
  hex: unknown,
): Promise<string> {
  const paths = writings(hex).map((written) => `/policy/${kind}/${written}/task`)
  if (paths.length > 1)
    for (const path of paths)
      if (!isUnknownList(await ask(t, path, { query: { page: 1, size: 1 } }))) return path
  return paths[0]!
}
