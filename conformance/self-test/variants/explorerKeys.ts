import { readQuery } from 'polgate-service/explorer/rest/readQuery.ts'
import { routes } from 'polgate-service/explorer/rest/routes.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { ApiKeyRecord } from 'polgate-service/store/apiKeys.ts'
import { refusedAs, requestAs } from '../mutants/explorerFaults.ts'
import { type Json, wrapListener } from '../mutants/wrappedListeners.ts'
import type { Variant } from './variant.ts'

/** Other keys, errors and limits of the explorer (sections 5.6, 7.6 and 8). */

const unmarked = () => undefined

type Parts = NonNullable<Variant['parts']>

const headersAs =
  (change: (headers: Headers, url: URL) => void): Parts =>
  () =>
    requestAs((url, headers) => change(headers, url))(unmarked)

type Deps = Parameters<NonNullable<ServiceParts['explorer']>>[0]
type Found = Awaited<ReturnType<Deps['apiKeys']['lookup']>>

/** Changes the records of keys in the explorer. */
const keys =
  (change: (found: NonNullable<Found>, deps: Deps) => Found): Parts =>
  () => ({
    explorer: (deps) => ({
      ...deps,
      apiKeys: {
        async lookup(key) {
          const found = await deps.apiKeys.lookup(key)
          return found && change(found, deps)
        },
      },
    }),
  })

/** Until a new key has reached the explorer, milliseconds. */
const newKeyMs = 1_500

/** The problems of a query, whatever else is wrong with the request. */
function issuesOf({ pathname, searchParams }: URL): Json | undefined {
  const asked = routes.find(({ path }) =>
    new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  )
  if (asked === undefined) return undefined
  const read = readQuery(asked.query, searchParams)
  return 'issues' in read ? read.issues : undefined
}

export const explorerKeyVariants: readonly Variant[] = [
  {
    id: 'explorer.x-api-key-first',
    clauses: ['5.6-11'],
    choice: 'uses the key in X-API-Key if both headers have one',
    parts: headersAs((headers) => {
      if (headers.get('x-api-key')) headers.delete('authorization')
    }),
  },
  {
    id: 'explorer.key-in-query',
    clauses: ['5.6-12'],
    choice: 'takes a key in the query too',
    parts: headersAs((headers, url) => {
      const key = url.searchParams.get('api_key')
      const hasOther = headers.has('authorization') || headers.has('x-api-key')
      if (key !== null && !hasOther) headers.set('x-api-key', key)
    }),
  },
  {
    id: 'explorer.key-without-scheme',
    clauses: ['5.6-12'],
    choice: 'takes a key in Authorization without a scheme too',
    parts: headersAs((headers) => {
      const sent = headers.get('authorization') ?? ''
      if (/^\S+$/.test(sent) && !/^bearer$/i.test(sent))
        headers.set('authorization', `Bearer ${sent}`)
    }),
  },
  {
    id: 'explorer.exact-scheme',
    clauses: ['5.6-12'],
    choice: 'reads no key after a scheme other than Bearer with a capital letter',
    parts: headersAs((headers) => {
      const sent = headers.get('authorization')
      if (sent !== null && /^bearer /i.test(sent) && !sent.startsWith('Bearer '))
        headers.delete('authorization')
    }),
  },
  {
    id: 'explorer.admin-may-read',
    clauses: ['5.6-13'],
    choice: 'lets keys of administrators read',
    parts: keys((found) =>
      found.permissions.includes('admin')
        ? { ...found, permissions: [...found.permissions, 'rpc_read'] }
        : found,
    ),
  },
  {
    id: 'explorer.new-keys-later',
    clauses: ['5.6-14'],
    choice: 'knows a new key only a second and a half after its creation',
    parts: () => {
      let began: number | undefined
      return keys((found, { clock }) => {
        const { createdAt, rotatedAt } = found as ApiKeyRecord
        const at = createdAt.getTime()
        // Keys of the target exist before the first request.
        began ??= clock()
        const isNew = rotatedAt === null && at >= began && clock() - at < newKeyMs
        return isNew ? undefined : found
      })()
    },
  },
  {
    id: 'explorer.invalid-as-text',
    clauses: ['7.6-11'],
    choice: 'describes an invalid query in one text',
    parts: () =>
      refusedAs(
        (status) => status === 422,
        (_, { detail }) => ({
          body: {
            detail: Array.isArray(detail)
              ? detail.map((issue: Json) => `${issue?.loc?.at?.(-1)}: ${issue?.msg}`).join('; ')
              : detail,
          },
        }),
      )(unmarked),
  },
  {
    id: 'explorer.query-checked-first',
    clauses: ['7.6-12'],
    choice: 'checks the query before key and network',
    parts: () =>
      wrapListener('wrapExplorerFetch', async ({ request }, pass) => {
        const detail = request.method === 'GET' ? issuesOf(new URL(request.url)) : undefined
        return detail === undefined
          ? pass(request)
          : Response.json({ detail }, { status: 422, headers: { 'cache-control': 'no-store' } })
      })(),
  },
  {
    id: 'explorer.lower-rate-limit',
    clauses: ['8-17'],
    choice: 'serves a key 20 requests of the explorer per second, and 20 at once',
    parts: () => ({
      explorer: (deps) => ({ ...deps, rateLimit: { perSecond: 20, burst: 20 } }),
    }),
  },
]
