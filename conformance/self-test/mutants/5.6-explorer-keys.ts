import { createHash } from 'node:crypto'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { ApiKeyRecord } from 'polgate-service/store/apiKeys.ts'
import type { Database } from 'polgate-service/store/database.ts'
import type { KeyPermission } from 'polgate-service/store/keyOptions.ts'
import { refusedAs, requestAs } from './explorerFaults.ts'
import { lastKeyServes } from './keyFaults.ts'
import type { MarkFired, Mutant } from './mutant.ts'
import { wrapListener } from './wrappedListeners.ts'

type Keys = Parameters<NonNullable<ServiceParts['explorer']>>[0]['apiKeys']
type Found = Awaited<ReturnType<Keys['lookup']>>

const keys =
  (lookup: (key: string, right: Keys['lookup'], markFired: MarkFired) => Promise<Found>) =>
  (markFired: MarkFired): ServiceParts => ({
    explorer: (deps) => ({
      ...deps,
      apiKeys: { lookup: (key) => lookup(key, deps.apiKeys.lookup, markFired) },
    }),
  })

const permissions = (change: (held: readonly KeyPermission[]) => readonly KeyPermission[]) =>
  keys(async (key, right, markFired) => {
    const found = await right(key)
    if (found === undefined) return undefined
    const held = change(found.permissions)
    if (held !== found.permissions) markFired()
    return { ...found, permissions: held }
  })

/** Faults in the keys of the explorer (section 5.6), and in their errors (section 7.6). */
export const explorerKeyMutants: readonly Mutant[] = [
  {
    id: 'explorer.any-key',
    fault: 'accepts any text as a key',
    clauses: ['5.6-01', '7.6-04'],
    parts: keys(async (key, right, markFired) => {
      const found = await right(key)
      if (found === undefined) markFired()
      return found ?? { id: 'anybody', permissions: ['rpc_read'] }
    }),
  },
  {
    id: 'explorer.no-key-needed',
    fault: 'serves a request without a key as that of the last key',
    clauses: ['5.6-01', '7.6-03'],
    parts: lastKeyServes(
      'wrapExplorerFetch',
      (headers) => !headers.has('authorization') && !headers.has('x-api-key'),
    ),
  },
  {
    id: 'explorer.bearer-ignored',
    fault: 'reads a key only from X-API-Key',
    clauses: ['5.6-02'],
    parts: requestAs((_, headers) => headers.delete('authorization')),
  },
  {
    id: 'explorer.x-api-key-ignored',
    fault: 'reads a key only from Authorization',
    clauses: ['5.6-03'],
    parts: requestAs((_, headers) => headers.delete('x-api-key')),
  },
  {
    id: 'explorer.rpc-read-not-enforced',
    fault: 'lets every valid key read',
    clauses: ['5.6-04', '7.6-05'],
    parts: permissions((held) => (held.includes('rpc_read') ? held : [...held, 'rpc_read'])),
  },
  {
    id: 'explorer.rpc-does-not-include',
    fault: 'does not accept rpc as rpc_read',
    clauses: ['5.6-05'],
    parts: permissions((held) =>
      held.includes('rpc') ? held.filter((each) => each !== 'rpc') : held,
    ),
  },
  {
    id: 'explorer.rotated-key-works',
    fault: 'caches valid keys',
    clauses: ['5.6-06', '5.6-07'],
    parts: (markFired) => {
      const remembered = new Map<string, NonNullable<Found>>()
      return keys(async (key, right) => {
        const found = await right(key)
        if (found !== undefined) remembered.set(key, found)
        else if (remembered.has(key)) markFired()
        return found ?? remembered.get(key)
      })(markFired)
    },
  },
  {
    id: 'explorer.unknown-key-remembered',
    fault: 'caches keys by value, and treats a rotated one as new',
    clauses: ['5.6-06'],
    parts: (markFired) => {
      const ids = new Map<string, string>()
      return keys(async (key, right) => {
        const found = await right(key)
        if (found === undefined) return undefined
        const first = ids.get(found.id) ?? key
        ids.set(found.id, first)
        if (first === key) return found
        markFired()
        return undefined
      })(markFired)
    },
  },
  {
    id: 'explorer.expired-key-works',
    fault: 'ignores the expiry of a key',
    clauses: ['5.6-08'],
    parts: (markFired) => {
      let database: Database
      return {
        taskDeps: (deps) => {
          database = deps.store.database
          return deps
        },
        ...keys(async (key, right) => {
          const valid = await right(key)
          if (valid !== undefined) return valid
          const hash = createHash('sha256').update(key).digest()
          const [expired] = await database.query<Pick<ApiKeyRecord, 'id' | 'permissions'>>(
            'select id, permissions from api_keys where hash = $1',
            [hash],
          )
          if (expired !== undefined) markFired()
          return expired
        })(markFired),
      }
    },
  },
  {
    id: 'explorer.key-told',
    fault: 'repeats the rejected key',
    clauses: ['5.6-09'],
    parts: (markFired) =>
      wrapListener('wrapExplorerFetch', async ({ request }, pass) => {
        const response = await pass(request)
        const key = request.headers.get('authorization') ?? request.headers.get('x-api-key')
        if (response.status < 400 || key === null) return response
        markFired()
        const headers = new Headers(response.headers)
        headers.set('x-refused', key)
        headers.delete('content-length')
        const body = JSON.stringify({ ...JSON.parse(await response.text()), key })
        return new Response(body, { status: response.status, headers })
      })(),
  },
  {
    id: 'explorer.403-is-401',
    fault: 'answers a key without the permission like an invalid key',
    clauses: ['7.6-05'],
    parts: refusedAs(
      (status) => status === 403,
      () => ({ status: 401, body: { detail: 'invalid or expired API key' } }),
    ),
  },
  {
    id: 'explorer.no-key-is-wrong-key',
    fault: 'answers a request without a key like one with an invalid key',
    clauses: ['7.6-03'],
    parts: refusedAs(
      (_, body) => /^API key required/.test(body.detail),
      () => ({ body: { detail: 'invalid or expired API key' } }),
    ),
  },
  {
    id: 'explorer.wrong-key-in-other-words',
    fault: 'reports an invalid key in other words',
    clauses: ['7.6-04'],
    parts: refusedAs(
      (_, body) => body.detail === 'invalid or expired API key',
      () => ({ body: { detail: 'Invalid API key' } }),
    ),
  },
]
