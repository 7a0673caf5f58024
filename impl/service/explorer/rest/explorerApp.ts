import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import type { Logger } from 'pino'
import { createTransfers, type Outgoing, type Transfers } from 'polgate-lib/http/transfers.ts'
import type { Brand } from 'polgate-protocol/brand.ts'
import { type Clock, monotonicClock } from 'polgate-protocol/clock.ts'
import { type Network, networkNames } from 'polgate-protocol/explorer.ts'
import type { ExplorerQueries } from '../../store/explorer/explorerQueries.ts'
import type { PageOptions } from '../../store/explorer/pages.ts'
import { createOutageLog } from '../../store/outageLog.ts'
import { authenticate } from './authenticate.ts'
import { docsPage } from './docsPage.ts'
import {
  ExplorerError,
  internal,
  invalidNetwork,
  invalidQuery,
  notFound,
  rowsUnavailable,
  tooMany,
} from './explorerError.ts'
import type { ExplorerMetrics } from './explorerMetrics.ts'
import { openApiDocument } from './openApi.ts'
import type { ExplorerKeys, ExplorerLimiter, ExplorerRateLimit } from './ports.ts'
import { readQuery } from './readQuery.ts'
import type { Route } from './route.ts'
import { routes } from './routes.ts'
import { within } from './within.ts'

const emptyPage = async (_: number, { page, size }: PageOptions) => ({
  total: 0,
  page,
  size,
  results: [],
})
const emptyPageOf = (_: number, __: string, options: PageOptions) => emptyPage(0, options)
const none = async () => undefined

/** A network without rows, for a name without a chain (decision X7). */
export const emptyNetwork: ExplorerQueries = {
  task: none,
  tasks: emptyPage,
  tasksOfPolicyId: emptyPageOf,
  tasksOfPolicyAddress: emptyPageOf,
  policy: none,
  policies: emptyPage,
  stats: async () => ({ total_tasks: 0, total_policies: 0 }),
}

/**
 * The `Link` header of a page (RFC 8288): first, prev, next and last, all with the same `as_of`.
 * The targets are queries alone, which resolve against the requested URL even if a proxy changes
 * its path.
 */
function pageLinks(
  { total, page, size }: { readonly total: number; readonly page: number; readonly size: number },
  asOf: number = total,
): string {
  const last = Math.max(1, Math.ceil(total / size))
  const link = (relation: string, to: number) =>
    `<?page=${to}&size=${size}&as_of=${asOf}>; rel="${relation}"`
  return [
    link('first', 1),
    ...(page > 1 ? [link('prev', Math.min(page - 1, last))] : []),
    ...(page < last ? [link('next', page + 1)] : []),
    link('last', last),
  ].join(', ')
}

export type ExplorerDeps = {
  readonly brand: Pick<Brand, 'networkHeader'>
  readonly version: string
  readonly apiKeys: ExplorerKeys
  readonly queries: ExplorerQueries
  /** Chain ids by network name; a network without a chain has no rows (decision X7). */
  readonly networks: Partial<Readonly<Record<Network, number>>>
  /** Limit per key. */
  readonly rateLimit: ExplorerRateLimit
  readonly limiter: ExplorerLimiter
  /** What slow readers hold; by default that of this listener alone. */
  readonly transfers?: Transfers | undefined
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: ExplorerMetrics
  /** Allowed origins of browsers; none by default (decision E12). */
  readonly corsOrigins: readonly string[]
  /** Timeout of the store, milliseconds; default 10,000. */
  readonly patienceMs?: number | undefined
}

const headersOfAll = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const

const jsonText = (body: string, status: number, headers: Readonly<Record<string, string>> = {}) =>
  new Response(body, {
    status,
    headers: { 'content-type': 'application/json', ...headersOfAll, ...headers },
  })
const json = (body: unknown, status: number, headers: Readonly<Record<string, string>> = {}) =>
  jsonText(JSON.stringify(body), status, headers)

const refusal = ({ status, detail, headers }: ExplorerError) => json({ detail }, status, headers)

function networkOf(header: string | undefined): Network {
  if (header === undefined) return 'testnet'
  const name = networkNames.find((known) => known === header)
  if (name === undefined) throw invalidNetwork()
  return name
}

/** The id or address in the path, in lower case, and whether it is well-formed (decision X3). */
function namedBy(
  route: Route,
  c: Context,
): { readonly text: string; readonly wellFormed: boolean } {
  if (route.named === undefined) return { text: '', wellFormed: true }
  const text = (c.req.param(route.named.name) ?? '').toLowerCase()
  return { text, wellFormed: new RegExp(route.named.schema.pattern as string).test(text) }
}

type Line = Record<string, unknown>

/**
 * The explorer's API (sections 4.12, 5.6 and 7.6). The first failed check determines the response:
 * path, method, key, permission, rate limit, network, query, existence.
 */
export function createExplorerApp(deps: ExplorerDeps): Hono {
  const { logger, metrics, patienceMs = 10_000, transfers = createTransfers() } = deps

  const outages = createOutageLog(logger, monotonicClock)

  async function answer(route: Route, c: Context, line: Line): Promise<Response> {
    const key = await authenticate(deps.apiKeys, c.req.raw.headers, patienceMs)
    line.keyId = key.id
    const wait = await deps.limiter.take(`explorer/${key.id}`, deps.rateLimit)
    if (wait > 0) throw tooMany(wait)
    if (transfers.isFull(key.id)) throw tooMany(1)
    const network = networkOf(c.req.header(deps.brand.networkHeader))
    line.network = network
    const read = readQuery(route.query, new URL(c.req.url).searchParams)
    if ('issues' in read) throw invalidQuery(read.issues)
    const { text: named, wellFormed } = namedBy(route, c)
    const chainId = deps.networks[network]
    const result = await within(patienceMs, () =>
      route.answer({
        network,
        chainId: chainId ?? 0,
        queries: wellFormed && chainId !== undefined ? deps.queries : emptyNetwork,
        named,
        query: read.values,
      }),
    ).catch((cause: unknown) => {
      throw rowsUnavailable(cause)
    })
    outages.served()
    if (result === undefined) throw notFound(route.notFound ?? 'Not Found')
    const text = JSON.stringify(result)
    const { outgoing } = (c.env ?? {}) as { readonly outgoing?: Outgoing }
    transfers.respond(key.id, Buffer.byteLength(text), outgoing)
    return jsonText(text, 200, linksOf(result, read.values))
  }

  async function serve(route: Route, c: Context): Promise<Response> {
    const started = monotonicClock()
    const line: Line = { route: route.name }
    const response = await answer(route, c, line).catch((thrown: unknown) => {
      const error = thrown instanceof ExplorerError ? thrown : internal(thrown)
      if (error.status === 503) outages.failed(error.cause)
      else if (error.status >= 500) logger.error({ ...line, err: error.cause }, error.message)
      return refusal(error)
    })
    const ms = monotonicClock() - started
    metrics.count(route.name, response.status, ms)
    logger.info({ ...line, status: response.status, ms }, 'explorer')
    return response
  }

  const app = new Hono()
  if (deps.corsOrigins.length > 0)
    app.use(
      '*',
      cors({
        origin: [...deps.corsOrigins],
        allowMethods: ['GET', 'HEAD'],
        allowHeaders: ['authorization', 'x-api-key', deps.brand.networkHeader],
        exposeHeaders: ['retry-after', 'link'],
      }),
    )

  const allow = { allow: 'GET, HEAD' }
  const get = (path: string, handler: (c: Context) => Response | Promise<Response>) => {
    app.get(path, handler)
    app.all(path, () => json({ detail: 'Method Not Allowed' }, 405, allow))
  }
  for (const route of routes)
    get(route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => serve(route, c))

  const document = openApiDocument(deps.brand, deps.version)
  const page = docsPage(document)
  get('/openapi.json', () => json(document, 200))
  get('/docs', () => new Response(page.html, { headers: { ...headersOfAll, ...page.headers } }))
  app.notFound(() => json({ detail: 'Not Found' }, 404))
  app.onError((error) => {
    logger.error({ err: error }, 'internal error')
    return refusal(internal(error))
  })
  return app
}

/** Lists have links to their other pages. */
function linksOf(result: unknown, query: { readonly as_of?: number }): { readonly link?: string } {
  const page = result as Parameters<typeof pageLinks>[0]
  return typeof page.size === 'number' ? { link: pageLinks(page, query.as_of) } : {}
}
