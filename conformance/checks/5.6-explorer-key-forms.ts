import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual } from '../core/expect.ts'
import type { ExplorerOptions } from '../core/gateway.ts'
import { observed } from '../kit/assertions/observed.ts'
import { ask, explorerNeeds } from '../kit/scenarios/explorer.ts'
import { acceptedList } from '../kit/scenarios/explorerLists.ts'
import { keyValue } from '../kit/scenarios/ownKey.ts'

import { withNewKey } from './5.6-explorer-keys.ts'

/** Section 5.6: open points of keys. */
const statusOf = async (t: CheckContext, options: ExplorerOptions) =>
  (await ask(t, '/task', options)).status

export const explorerKeyForms: readonly Check[] = [
  {
    // 5.6-11: Which key counts when both headers have one.
    id: 'explorer.keys.observed.both',
    title: 'observed: which key counts if both headers have one',
    clauses: ['5.6-11'],
    level: 'may',
    needs: explorerNeeds,
    run: async (t) => {
      await acceptedList(t)
      const both = (bearer: string, own: string) =>
        statusOf(t, { key: { header: `Bearer ${bearer}` }, headers: { 'x-api-key': own } })
      const read = keyValue(t, 'read')
      t.observe(`the same key twice: HTTP ${await both(read, read)}`)
      observed(
        t,
        'valid-bearer',
        'a valid Bearer, an invalid X-API-Key',
        await both(read, 'nobody'),
      )
      observed(
        t,
        'invalid-bearer',
        'an invalid Bearer, a valid X-API-Key',
        await both('nobody', read),
      )
      const basic = await statusOf(t, {
        key: { header: 'Basic bm9ib2R5Om5vdGhpbmc=' },
        headers: { 'x-api-key': read },
      })
      observed(t, 'other-scheme', 'another scheme, a valid X-API-Key', basic)
    },
  },
  {
    // 5.6-12: Whether the scheme is matched without regard to case, and whether a key may be sent
    //   elsewhere.
    id: 'explorer.keys.observed.form',
    title: 'observed: the scheme in other cases, the key elsewhere, and values that are not keys',
    clauses: ['5.6-12'],
    level: 'may',
    needs: explorerNeeds,
    run: async (t) => {
      await acceptedList(t)
      const read = keyValue(t, 'read')
      for (const scheme of ['bearer', 'BEARER'])
        t.observe(`${scheme}: HTTP ${await statusOf(t, { key: { header: `${scheme} ${read}` } })}`)
      const odd: Readonly<Record<string, ExplorerOptions>> = {
        'a key without a scheme': { key: { header: read } },
        'another scheme': { key: { header: `Basic ${read}` } },
        'an empty Bearer': { key: { header: 'Bearer ' } },
        'an empty X-API-Key': { key: { header: '' }, keyHeader: 'x-api-key' },
        'a key in the query': { key: null, query: { api_key: read } },
      }
      for (const [name, options] of Object.entries(odd)) {
        const answer = await ask(t, '/task', options)
        observed(t, 'status', name, answer.status)
        if (answer.status === 401) t.observe(`${name}: ${JSON.stringify(answer.json)}`)
      }
    },
  },
  {
    // 5.6-13: What a key with other permissions may read.
    id: 'explorer.keys.observed.admin',
    title: 'observed: what a key with other permissions may read',
    clauses: ['5.6-13'],
    level: 'may',
    needs: [...explorerNeeds, 'key:admin'],
    run: async (t) => {
      await acceptedList(t)
      observed(t, 'status', 'a key with only admin', await statusOf(t, { key: 'admin' }))
    },
  },
  {
    // 5.6-14: How soon a new key takes effect.
    id: 'explorer.keys.observed.new',
    title:
      'observed: whether a new key works immediately, although it was rejected before its creation',
    clauses: ['5.6-14'],
    level: 'may',
    needs: [...explorerNeeds, 'key-control'],
    run: async (t) => {
      await acceptedList(t)
      await withNewKey(t, ['rpc_read'], async ({ key }) => {
        const status = await statusOf(t, { key })
        observed(t, 'status', 'the first request with a new key', status)
      })
      expectEqual((await acceptedList(t)).page, 1, 'the page')
    },
  },
]
