import { decided, decidedEqual } from '../lab/decided.ts'
import { acceptedList, ask, explorerNeeds } from '../lab/explorer.ts'
import { keyValue } from '../lab/ownKey.ts'
import type { Check } from '../runner/check.ts'
import type { CheckContext } from '../runner/context.ts'
import { expectEqual } from '../runner/expect.ts'
import type { ExplorerOptions } from '../wire/explorer.ts'

import { withMadeKey } from './5.6-explorer-keys.ts'

/** Section 5.6: open points of keys. */
const statusOf = async (t: CheckContext, options: ExplorerOptions) =>
  (await ask(t, '/task', options)).status

export const explorerKeyForms: readonly Check[] = [
  {
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
      decidedEqual(t, await both(read, 'nobody'), 200, 'a valid Bearer, an invalid X-API-Key')
      decidedEqual(t, await both('nobody', read), 401, 'an invalid Bearer, a valid X-API-Key')
      const basic = await statusOf(t, {
        key: { header: 'Basic bm9ib2R5Om5vdGhpbmc=' },
        headers: { 'x-api-key': read },
      })
      decidedEqual(t, basic, 200, 'another scheme, a valid X-API-Key')
    },
  },
  {
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
        decided(t, answer.status === 401, name, 401, answer.status)
        if (answer.status === 401) t.observe(`${name}: ${JSON.stringify(answer.json)}`)
      }
    },
  },
  {
    id: 'explorer.keys.observed.admin',
    title: 'observed: what a key with other permissions may read',
    clauses: ['5.6-13'],
    level: 'may',
    needs: [...explorerNeeds, 'key:admin'],
    run: async (t) => {
      await acceptedList(t)
      decidedEqual(t, await statusOf(t, { key: 'admin' }), 403, 'a key with only admin')
    },
  },
  {
    id: 'explorer.keys.observed.new',
    title:
      'observed: whether a new key works immediately, although it was rejected before its creation',
    clauses: ['5.6-14'],
    level: 'may',
    needs: [...explorerNeeds, 'key-control'],
    run: async (t) => {
      await acceptedList(t)
      await withMadeKey(t, ['rpc_read'], async ({ key }) => {
        const status = await statusOf(t, { key })
        decidedEqual(t, status, 200, 'the first request with a new key')
      })
      expectEqual((await acceptedList(t)).page, 1, 'the page')
    },
  },
]
