import type { Capability, Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import type { KeyHeader, KeyName } from '../core/exchange.ts'
import { expectFinding } from '../core/expect.ts'
import type { ExplorerOptions } from '../core/gateway.ts'
import { deleteKey, type MadeKey, makeKey, rotateKey } from '../kit/scenarios/controlListener.ts'
import { ask, expectDetail, expectFound, explorerNeeds } from '../kit/scenarios/explorer.ts'
import { acceptedList, expectPage } from '../kit/scenarios/explorerLists.ts'
import { expectKnownKey } from '../kit/scenarios/explorerShown.ts'
import { keyValue } from '../kit/scenarios/ownKey.ts'

/** Sections 5.6 and 7.6: API keys of the explorer. */
const required = 'API key required (Authorization: Bearer or X-API-Key)'
const invalid = 'invalid or expired API key'
const permission = 'API key missing required permission: rpc_read'

const twin = 'the list of tasks with the read key'
const keyHeaders: readonly KeyHeader[] = ['authorization', 'x-api-key']

/** The checks of each header: of keys that it rejects, accepts, and no longer accepts. */
const ids = {
  authorization: {
    // 7.6-04: 401 "invalid or expired API key" where the key is wrong, rotated, deleted or expired.
    // 7.6-01: The body of an error is {detail: <message>}.
    // 5.6-01: Every request below /v1 needs an API key.
    unknown: 'explorer.keys.bearer.unknown',
    long: 'explorer.keys.bearer.long',
    odd: 'explorer.keys.bearer.odd',
    // 5.6-08: An expired key is refused.
    // 7.6-04: 401 "invalid or expired API key" where the key is wrong, rotated, deleted or expired.
    // 7.6-01: The body of an error is {detail: <message>}.
    expired: 'explorer.keys.bearer.expired',
    // 5.6-04: The key needs the permission rpc_read.
    // 7.6-05: 403 "API key missing required permission: rpc_read" where the key has neither
    //   rpc_read nor rpc.
    // 7.6-01: The body of an error is {detail: <message>}.
    write: 'explorer.keys.bearer.write',
    none: 'explorer.keys.bearer.none',
    // 5.6-02: The key may be sent in Authorization: Bearer.
    // 5.6-04: The key needs the permission rpc_read.
    read: 'explorer.keys.read-authorization',
    // 5.6-02: The key may be sent in Authorization: Bearer.
    // 5.6-05: The permission rpc includes rpc_read.
    rpc: 'explorer.keys.rpc-authorization',
    // 5.6-06: A rotated key is refused on the next request, and its successor is accepted.
    // 7.6-04: 401 "invalid or expired API key" where the key is wrong, rotated, deleted or expired.
    rotated: 'explorer.keys.rotated-authorization',
    // 5.6-07: A deleted key is refused on the next request.
    // 7.6-04: 401 "invalid or expired API key" where the key is wrong, rotated, deleted or expired.
    deleted: 'explorer.keys.deleted-authorization',
  },
  'x-api-key': {
    // 7.6-04: 401 "invalid or expired API key" where the key is wrong, rotated, deleted or expired.
    // 7.6-01: The body of an error is {detail: <message>}.
    // 5.6-01: Every request below /v1 needs an API key.
    unknown: 'explorer.keys.x-api-key.unknown',
    long: 'explorer.keys.x-api-key.long',
    odd: 'explorer.keys.x-api-key.odd',
    // 5.6-08: An expired key is refused.
    // 7.6-04: 401 "invalid or expired API key" where the key is wrong, rotated, deleted or expired.
    // 7.6-01: The body of an error is {detail: <message>}.
    expired: 'explorer.keys.x-api-key.expired',
    // 5.6-04: The key needs the permission rpc_read.
    // 7.6-05: 403 "API key missing required permission: rpc_read" where the key has neither
    //   rpc_read nor rpc.
    // 7.6-01: The body of an error is {detail: <message>}.
    write: 'explorer.keys.x-api-key.write',
    none: 'explorer.keys.x-api-key.none',
    // 5.6-03: The key may be sent in X-API-Key.
    // 5.6-04: The key needs the permission rpc_read.
    read: 'explorer.keys.read-x-api-key',
    // 5.6-03: The key may be sent in X-API-Key.
    // 5.6-05: The permission rpc includes rpc_read.
    rpc: 'explorer.keys.rpc-x-api-key',
    // 5.6-06: A rotated key is refused on the next request, and its successor is accepted.
    // 7.6-04: 401 "invalid or expired API key" where the key is wrong, rotated, deleted or expired.
    rotated: 'explorer.keys.rotated-x-api-key',
    // 5.6-07: A deleted key is refused on the next request.
    // 7.6-04: 401 "invalid or expired API key" where the key is wrong, rotated, deleted or expired.
    deleted: 'explorer.keys.deleted-x-api-key',
  },
} as const satisfies Readonly<Record<KeyHeader, Readonly<Record<string, string>>>>

/**
 * One of every kind of path: each must check the key. None has another error, which may be reported first
 * (clause 7.6-12).
 */
const paths = [
  '/task',
  `/task/0x${'5e'.repeat(32)}`,
  '/policy',
  `/policy/0x${'5e'.repeat(20)}`,
  `/policy/id/0x${'5e'.repeat(32)}/task`,
  `/policy/address/0x${'5e'.repeat(20)}/task`,
  '/stats?task_window_start=2020-01-01T00:00:00Z',
] as const

type Refusal = {
  readonly id: string
  readonly title: string
  readonly status: 401 | 403
  readonly detail: string
  readonly clauses: readonly string[]
  readonly options: ExplorerOptions
  readonly needs?: readonly Capability[]
}

const refusals: readonly Refusal[] = [
  {
    // 5.6-01: Every request below /v1 needs an API key.
    // 7.6-03: 401 "API key required (Authorization: Bearer or X-API-Key)" where no key was sent.
    // 7.6-01: The body of an error is {detail: <message>}.
    id: 'explorer.keys.no-key',
    title: 'no key',
    status: 401,
    detail: required,
    clauses: ['5.6-01', '7.6-03', '7.6-01'],
    options: { key: null },
  },
  ...keyHeaders.flatMap((keyHeader): Refusal[] => {
    const of = ids[keyHeader]
    const place = keyHeader === 'authorization' ? 'Authorization' : 'X-API-Key'
    const scheme = keyHeader === 'authorization' ? 'Bearer ' : ''
    const wrong = (id: string, title: string, value: string): Refusal => ({
      id,
      title: `${title} in ${place}`,
      status: 401,
      detail: invalid,
      clauses: ['7.6-04', '7.6-01', '5.6-01'],
      options: { keyHeader, key: { header: `${scheme}${value}` } },
    })
    const weak = (id: string, name: KeyName): Refusal => ({
      id,
      title: `a key without rpc_read (${name}) in ${place}`,
      status: 403,
      detail: permission,
      clauses: ['5.6-04', '7.6-05', '7.6-01'],
      options: { keyHeader, key: name },
      needs: [`key:${name}`],
    })
    return [
      wrong(of.unknown, 'an unknown key', 'not-a-key-of-anybody'),
      wrong(of.long, 'a key of 4,000 characters', 'k'.repeat(4_000)),
      wrong(of.odd, 'a key of unusual characters', "' OR 1=1 -- \u00e9\u00ff"),
      {
        id: of.expired,
        title: `an expired key in ${place}`,
        status: 401,
        detail: invalid,
        clauses: ['5.6-08', '7.6-04', '7.6-01'],
        options: { keyHeader, key: 'expired' },
        needs: ['key:expired'],
      },
      weak(of.write, 'write'),
      weak(of.none, 'none'),
    ]
  }),
]

const refused = (refusal: Refusal): Check => ({
  id: refusal.id,
  title: `${refusal.title} is rejected by every path: ${refusal.status}, ${refusal.detail}`,
  clauses: refusal.clauses,
  level: 'must',
  needs: [...explorerNeeds, ...(refusal.needs ?? [])],
  twin,
  run: async (t) => {
    await t.twin(() => acceptedList(t))
    for (const path of paths)
      expectDetail(await ask(t, path, refusal.options), refusal.status, refusal.detail)
  },
})

function suffices(name: 'read' | 'rpc', keyHeader: KeyHeader): Check {
  const place = keyHeader === 'authorization' ? 'Authorization: Bearer' : 'X-API-Key'
  return {
    id: ids[keyHeader][name],
    title: `the key ${name} in ${place} is accepted`,
    clauses: [
      keyHeader === 'authorization' ? '5.6-02' : '5.6-03',
      name === 'rpc' ? '5.6-05' : '5.6-04',
    ],
    level: 'must',
    needs: [...explorerNeeds, `key:${name}`],
    run: async (t) => {
      const asked = { key: name, keyHeader } as const
      expectPage(await ask(t, '/task', asked), { page: 1, size: 10 })
      expectPage(await ask(t, '/policy', asked), { page: 1, size: 10 })
      const query = { task_window_start: '2020-01-01T00:00:00Z' }
      expectFound(await ask(t, '/stats', { ...asked, query }))
    },
  }
}

/** Runs something with a key that is created for it and deleted afterwards, once it is in force. */
const withMadeKey = (
  t: CheckContext,
  permissions: readonly string[],
  run: (made: MadeKey) => Promise<void>,
): Promise<void> =>
  withNewKey(t, permissions, async (made) => {
    await expectKnownKey(t, made.key)
    await run(made)
  })

/** The same at once. */
export async function withNewKey(
  t: CheckContext,
  permissions: readonly string[],
  run: (made: MadeKey) => Promise<void>,
): Promise<void> {
  const made = await makeKey(t, permissions)
  try {
    await run(made)
  } finally {
    await deleteKey(t, made.id).catch(() => undefined)
  }
}

const served = async (t: CheckContext, options: ExplorerOptions) =>
  expectPage(await ask(t, '/task', options), { page: 1, size: 10 })

const lives: readonly Check[] = keyHeaders.flatMap((keyHeader): Check[] => [
  {
    id: ids[keyHeader].rotated,
    title: `a rotated key is rejected on the next request, its successor accepted (${keyHeader})`,
    clauses: ['5.6-06', '7.6-04'],
    level: 'must',
    needs: [...explorerNeeds, 'key-control'],
    twin: 'the same request before the rotation',
    run: async (t) => {
      await withMadeKey(t, ['rpc_read'], async ({ key, id }) => {
        await t.twin(async () => {
          // Often enough for a cache to contain this key.
          for (let i = 0; i < 3; i++) await served(t, { key, keyHeader })
        })
        const rotated = await rotateKey(t, id)
        expectDetail(await ask(t, '/task', { key, keyHeader }), 401, invalid)
        await served(t, { key: rotated.key, keyHeader })
        expectDetail(await ask(t, '/policy', { key, keyHeader }), 401, invalid)
      })
    },
  },
  {
    id: ids[keyHeader].deleted,
    title: `a deleted key is rejected on the next request (${keyHeader})`,
    clauses: ['5.6-07', '7.6-04'],
    level: 'must',
    needs: [...explorerNeeds, 'key-control'],
    twin: 'the same request before the deletion',
    run: async (t) => {
      await withMadeKey(t, ['rpc_read'], async ({ key, id }) => {
        await t.twin(async () => {
          for (let i = 0; i < 3; i++) await served(t, { key, keyHeader })
        })
        await deleteKey(t, id)
        for (const path of ['/task', '/policy'])
          expectDetail(await ask(t, path, { key, keyHeader }), 401, invalid)
      })
    },
  },
])

export const explorerKeys: readonly Check[] = [
  ...refusals.map(refused),
  ...keyHeaders.flatMap((header) => [suffices('read', header), suffices('rpc', header)]),
  ...lives,
  {
    // 5.6-04: The key needs the permission rpc_read.
    // 5.6-05: The permission rpc includes rpc_read.
    // 7.6-05: 403 "API key missing required permission: rpc_read" where the key has neither
    //   rpc_read nor rpc.
    id: 'explorer.keys.permissions',
    title: 'rpc_read and rpc may read; rpc_write, admin and no permission may not',
    clauses: ['5.6-04', '5.6-05', '7.6-05'],
    level: 'must',
    needs: [...explorerNeeds, 'key-control'],
    twin: 'the same request with rpc_read',
    run: async (t) => {
      for (const may of [['rpc_read'], ['rpc'], ['rpc_read', 'rpc_write']])
        await withMadeKey(t, may, ({ key }) => t.twin(async () => void (await served(t, { key }))))
      for (const mayNot of [['rpc_write'], []])
        await withMadeKey(t, mayNot, async ({ key }) =>
          expectDetail(await ask(t, '/task', { key }), 403, permission),
        )
    },
  },
  {
    // 5.6-09: No response repeats a key.
    id: 'explorer.keys.not-told',
    title: 'no response repeats the sent key, in its body or its headers',
    clauses: ['5.6-09'],
    level: 'must',
    needs: explorerNeeds,
    run: async (t) => {
      await acceptedList(t)
      const key = 'this-is-no-key-and-is-never-told'
      const places: readonly ExplorerOptions[] = [
        { key: { header: `Bearer ${key}` } },
        { key: { header: key }, keyHeader: 'x-api-key' },
        { key: { header: key } },
        { key: { header: `Basic ${key}` } },
      ]
      for (const options of places)
        for (const path of ['/task', '/nothing', `/task/${'0'.repeat(64)}`]) {
          const { exchange } = await ask(t, path, options)
          const told = `${exchange.body} ${JSON.stringify(exchange.headers)}`
          expectFinding(!told.includes(key), 'the answer contains the key', 'no part of it', told)
        }
      const { exchange } = await ask(t, '/task', { keyHeader: 'x-api-key' })
      const told = `${exchange.body} ${JSON.stringify(exchange.headers)}`
      expectFinding(
        !told.includes(keyValue(t, 'read')),
        'the answer contains the key',
        'no part of it',
        'the key',
      )
    },
  },
]
