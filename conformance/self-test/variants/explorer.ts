import type { Network } from 'polgate-protocol/explorer.ts'
import { getAddress } from 'viem'
import { requestAs } from '../mutants/explorerFaults.ts'
import { changedExplorer, type Json, wrapListener } from '../mutants/wrappedListeners.ts'
import { explorerKeyVariants } from './explorerKeys.ts'
import { explorerListVariants } from './explorerLists.ts'
import { explorerRowVariants, queries } from './explorerRows.ts'
import type { Variant } from './variant.ts'

/** Other paths, networks and windows of the explorer (section 4.12). */

const unmarked = () => undefined

type Parts = NonNullable<Variant['parts']>
type Pass = (request: Request) => Promise<Response>

const listener =
  (serve: (request: Request, url: URL, pass: Pass) => Promise<Response>): Parts =>
  () =>
    wrapListener('wrapExplorerFetch', async ({ request }, pass) =>
      serve(request, new URL(request.url), pass),
    )()

const json = (detail: string, status: number) => Response.json({ detail }, { status })
const html = (status: number) =>
  new Response('<!doctype html><title>Explorer</title><h1>Explorer</h1>', {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  })

const networkHeader = 'x-protocol-network'
const names = /^\s*(testnet|base-sepolia|mainnet|base)\s*$/i

/** An id or address in a path. */
const named = /^\/v1\/(task|policy|policy\/id|policy\/address)\/([^/]+)(\/task)?$/
const lengthOf: Readonly<Record<string, number>> = { task: 64, 'policy/id': 64 }
const unknownHex = (length: number) => `0x${'e0'.repeat(length / 2)}`

/** Reads ids and addresses in another way: undefined for one that is not found. */
function found(read: (text: string, length: number) => string | undefined): Parts {
  const parts = requestAs((url) => {
    const [, place = '', text] = named.exec(url.pathname) ?? []
    const length = lengthOf[place] ?? 40
    if (text === undefined || !new RegExp(`^0x[0-9a-f]{${length}}$`, 'i').test(text)) return
    url.pathname = url.pathname.replace(text, () => read(text, length) ?? unknownHex(length))
  })
  return () => parts(unmarked)
}

function checksummed(value: Json): Json {
  if (typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value))
    return getAddress(value.toLowerCase())
  if (Array.isArray(value)) return value.map(checksummed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, checksummed(item)]))
}

const unindexedNetworks: Parts = () => {
  let indexed: Partial<Readonly<Record<Network, number>>> = {}
  return {
    explorer: (deps) => {
      indexed = deps.networks
      return deps
    },
    ...listener(async (request, { pathname }, pass) => {
      const response = await pass(request)
      const [, name = ''] = names.exec(request.headers.get(networkHeader) ?? 'testnet') ?? []
      const isSelected = pathname.startsWith('/v1/') && name !== ''
      const isServed = response.status === 200 || response.status === 404
      return isSelected && isServed && indexed[name.toLowerCase() as Network] === undefined
        ? json('Network not indexed', 404)
        : response
    })(),
  }
}

export const explorerVariants: readonly Variant[] = [
  ...explorerRowVariants,
  ...explorerListVariants,
  ...explorerKeyVariants,
  {
    id: 'explorer.lower-case-only',
    clauses: ['4.12-26'],
    choice: 'finds ids and addresses only in lower case',
    parts: found((text) => (text === text.toLowerCase() ? text : undefined)),
  },
  {
    id: 'explorer.checksummed-only',
    clauses: ['4.12-26', '2.9-31'],
    choice: 'shows addresses with their checksum, and finds them only in that form',
    parts: () => {
      const { wrapExplorerFetch: shows } = changedExplorer(/^\/v1\//, checksummed)(unmarked)
      const { wrapExplorerFetch: finds } = found((text, length) =>
        length !== 40 || text === getAddress(text.toLowerCase()) ? text.toLowerCase() : undefined,
      )()
      return { wrapExplorerFetch: (fetch) => finds!(shows!(fetch)) }
    },
  },
  {
    id: 'explorer.malformed-is-422',
    clauses: ['4.12-26'],
    choice: 'answers malformed ids and addresses with 422',
    parts: listener(async (request, { pathname }, pass) => {
      const response = await pass(request)
      const [, place = '', text] = named.exec(pathname) ?? []
      const length = lengthOf[place] ?? 40
      const isMalformed =
        text !== undefined && !new RegExp(`^0x[0-9a-f]{${length}}$`, 'i').test(text)
      const isServed = response.status === 200 || response.status === 404
      return isMalformed && isServed ? json(`not ${length / 2} bytes of hex`, 422) : response
    }),
  },
  {
    id: 'explorer.network-in-any-case',
    clauses: ['4.12-27'],
    choice: 'accepts names of networks in any letter case',
    parts: () =>
      requestAs((_, headers) => {
        const name = headers.get(networkHeader)
        if (name !== null && names.test(name)) headers.set(networkHeader, name.trim().toLowerCase())
      })(unmarked),
  },
  {
    id: 'explorer.unindexed-network-refused',
    clauses: ['4.12-28'],
    choice: 'answers 404 for every path of a network that it does not index',
    parts: unindexedNetworks,
  },
  {
    id: 'explorer.windows-half-open',
    clauses: ['4.12-29'],
    choice: 'does not count what happened exactly at the end of a window',
    parts: queries((inner) => ({
      stats: (chainId, { tasks, policies }) => {
        const open = <W extends { readonly end?: Date | undefined }>(window: W): W =>
          window.end === undefined ? window : { ...window, end: new Date(window.end.getTime() - 1) }
        return inner.stats(chainId, { tasks: open(tasks), policies: open(policies) })
      },
    })),
  },
  {
    id: 'explorer.inverted-window-is-422',
    clauses: ['4.12-29'],
    choice: 'answers 422 for a window that ends before it starts',
    parts: listener(async (request, { pathname, searchParams }, pass) => {
      const response = await pass(request)
      const at = (name: string) => Date.parse(searchParams.getAll(name).at(-1) ?? '')
      const inverted = ['task', 'policy'].some(
        (of) => at(`${of}_window_end`) < at(`${of}_window_start`),
      )
      return pathname === '/v1/stats' && response.status === 200 && inverted
        ? json('a window ends before it starts', 422)
        : response
    }),
  },
  {
    id: 'explorer.chain-only',
    clauses: ['4.12-30', '2.9-32'],
    choice: 'shows and counts only tasks that it has seen on the chain',
    parts: () => ({
      indexer: (deps) => ({ ...deps, index: { ...deps.index, absorbRecords: async () => 0 } }),
    }),
  },
  {
    id: 'explorer.other-methods-not-found',
    clauses: ['4.12-32'],
    choice: 'answers other HTTP methods, HEAD too, as unknown paths',
    parts: listener(async (request, _, pass) => {
      if (request.method === 'GET') return pass(request)
      return request.method === 'OPTIONS'
        ? new Response(null, { status: 204 })
        : json('Not Found', 404)
    }),
  },
  {
    id: 'explorer.pages-for-people',
    clauses: ['4.12-33'],
    choice: 'answers other paths with a web page, and redirects those with a slash at the end',
    parts: listener(async (request, { pathname, search }, pass) => {
      const isEscaped = /%2f/i.test(pathname)
      const response = await pass(request)
      if (response.status !== 404 && !isEscaped) return response
      if (!pathname.startsWith('/v1/')) return html(200)
      if (!isEscaped && !(await response.clone().text()).includes('"Not Found"')) return response
      return pathname.endsWith('/')
        ? new Response(null, {
            status: 307,
            headers: { location: `${pathname.slice(0, -1)}${search}` },
          })
        : html(404)
    }),
  },
  {
    id: 'explorer.no-description',
    clauses: ['4.12-34'],
    choice: 'does not describe itself',
    parts: listener(async (request, { pathname }, pass) =>
      pathname === '/openapi.json' || pathname === '/docs' ? json('Not Found', 404) : pass(request),
    ),
  },
]
