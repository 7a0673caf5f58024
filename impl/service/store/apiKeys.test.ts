import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiKeyQueries } from './apiKeys.ts'
import type { Database, Row } from './database.ts'
import { engines } from './engines.fixture.ts'
import type { CreateKeyOptions } from './keyOptions.ts'
import { type Store, storeOn } from './openStore.ts'
import { openEmptyStore } from './testing/openEmptyStore.ts'

describe.each(engines)('API keys on the $name engine', ({ url }) => {
  let now = 1_800_000_000_000
  let store: Store
  beforeAll(async () => {
    store = await openEmptyStore(url, { clock: () => now })
  })
  afterAll(() => store.close())

  const create = (members: Partial<CreateKeyOptions> = {}) =>
    store.apiKeys.create({ name: 'test', permissions: ['rpc_read'], ...members })

  it('are looked up by the key alone, with their permissions', async () => {
    const owner = '0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    const { key, record } = await create({ permissions: ['rpc', 'admin'], owners: [owner] })
    expect(key).toMatch(/^key_[\w-]{43}$/)
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{12}$/),
      name: 'test',
      permissions: ['rpc', 'admin'],
      owners: [owner.toLowerCase()],
      createdAt: new Date(now),
      rotatedAt: null,
      expiresAt: null,
    })
    expect(await store.apiKeys.lookup(key)).toEqual(record)
    for (const other of ['', record.id, key.slice(0, -1), `${key}a`, key.toUpperCase()])
      expect(await store.apiKeys.lookup(other)).toBeUndefined()
  })

  it('change for every store on the database at once', async () => {
    const other = storeOn(store.database, { clock: () => now })
    const { key, record } = await create()
    for (const each of [store, other]) expect(await each.apiKeys.lookup(key)).toEqual(record)
    const rotated = await store.apiKeys.rotate(record.id)
    expect(await other.apiKeys.lookup(key)).toBeUndefined()
    expect(await other.apiKeys.lookup(rotated.key)).toEqual(rotated.record)
    await store.apiKeys.delete(record.id)
    expect(await other.apiKeys.lookup(rotated.key)).toBeUndefined()
  })

  it('are stored only as a SHA-256 hash', async () => {
    const { key, record } = await create()
    const rows = await store.database.query('select * from api_keys where id = $1', [record.id])
    expect(JSON.stringify(rows)).not.toContain(key)
    expect(Buffer.from(rows[0]!.hash as Uint8Array)).toEqual(
      createHash('sha256').update(key).digest(),
    )
  })

  it('are different each time', async () => {
    const keys = await Promise.all([create(), create(), create()])
    expect(new Set(keys.map(({ key }) => key)).size).toBe(3)
    expect(new Set(keys.map(({ record }) => record.id)).size).toBe(3)
  })

  it('expire', async () => {
    const { key } = await create({ expiresAt: new Date(now + 1000) })
    now += 999
    expect(await store.apiKeys.lookup(key)).toBeDefined()
    now += 1
    expect(await store.apiKeys.lookup(key)).toBeUndefined()
  })

  it('are rotated: the new key works, the old one does not, the rest stays', async () => {
    const { key, record } = await create({ permissions: ['rpc_write'] })
    expect(await store.apiKeys.lookup(key)).toEqual(record)
    const rotated = await store.apiKeys.rotate(record.id)
    expect(await store.apiKeys.lookup(key)).toBeUndefined()
    expect(await store.apiKeys.lookup(rotated.key)).toEqual({ ...record, rotatedAt: new Date(now) })
  })

  it('are gone even for a look-up during the change', async () => {
    const { key, record } = await create()
    const lookups = Array.from({ length: 5 }, () => store.apiKeys.lookup(key))
    const deleted = store.apiKeys.delete(record.id)
    const late = store.apiKeys.lookup(key)
    await Promise.all([...lookups, deleted, late])
    expect(await store.apiKeys.lookup(key)).toBeUndefined()
  })

  it('are deleted', async () => {
    const { key, record } = await create()
    expect(await store.apiKeys.lookup(key)).toEqual(record)
    await store.apiKeys.delete(record.id)
    expect(await store.apiKeys.lookup(key)).toBeUndefined()
    await expect(store.apiKeys.delete(record.id)).rejects.toThrow(
      `No API key has the id ${record.id}`,
    )
    await expect(store.apiKeys.rotate(record.id)).rejects.toMatchObject({ code: 'not-found' })
  })

  it('are listed in order of creation, without hash', async () => {
    const before = (await store.apiKeys.list()).length
    now += 1
    const { record } = await create({ name: 'last' })
    const all = await store.apiKeys.list()
    expect(all).toHaveLength(before + 1)
    expect(all.at(-1)).toEqual(record)
  })

  it('may be chosen, with a bounded length and visible characters only', async () => {
    const key = 'dev_read_0123456789'
    expect((await create({ key })).key).toBe(key)
    expect(await store.apiKeys.lookup(key)).toBeDefined()
    await expect(create({ key })).rejects.toThrow()
    for (const bad of ['short', 'with a space in the key', 'ümlaut-in-the-key-0', 'k'.repeat(257)])
      await expect(create({ key: bad })).rejects.toThrow('16 to 256 visible ASCII characters')
  })

  it.each([
    [{ permissions: ['root'] }, 'Unknown permission "root"'],
    [{ permissions: ['rpc', ''] }, 'Unknown permission ""'],
    [{ permissions: 'rpc' }, 'Unknown permission "rpc"'],
    [{ owners: ['0x1234'] }, 'Owner "0x1234" is not an address'],
    [{ owners: [`0x${'1'.repeat(200)}`] }, `Owner "0x${'1'.repeat(62)}..." is not an address`],
    [{ owners: [7] }, 'Owner "7" is not an address'],
    [{ owners: '0x' }, 'owners must be a list'],
    [{ expiresAt: new Date('soon') }, 'The expiry is not a valid time'],
    [{ name: '' }, 'The name of a key must have 1 to 200 characters'],
    [{ name: 'a\u001b[31m' }, 'The name of a key must have 1 to 200 characters'],
  ])('are not created from %j', async (members, message) => {
    const before = await store.apiKeys.list()
    await expect(create(members as never)).rejects.toMatchObject({
      message: expect.stringContaining(message),
      code: 'invalid',
      hint: expect.any(String),
    })
    expect(await store.apiKeys.list()).toEqual(before)
  })

  it('have each permission and owner once, even if given twice', async () => {
    const owner = `0x${'Ab'.repeat(20)}` as const
    const { record } = await create({
      permissions: ['rpc', 'rpc'],
      owners: [owner, owner.toLowerCase() as typeof owner],
    })
    expect(record).toMatchObject({ permissions: ['rpc'], owners: [owner.toLowerCase()] })
  })
})

describe('cached keys', () => {
  let store: Store
  beforeAll(async () => {
    store = await openEmptyStore(undefined)
  })
  afterAll(() => store.close())

  /** The real database, with look-ups counted and their answers delayed. */
  const watched = (engine: Database['engine']) => {
    let asked = 0
    let hold: Promise<void> = Promise.resolve()
    const database: Database = {
      ...store.database,
      engine,
      async query<T extends Row>(sql: string, params?: readonly unknown[]) {
        const rows = await store.database.query<T>(sql, params)
        if (!sql.startsWith('select hash')) return rows
        asked += 1
        await hold
        return rows
      },
    }
    const holdUntil = (released: Promise<void>) => {
      hold = released
    }
    return { keys: apiKeyQueries(database, Date.now), asked: () => asked, holdUntil }
  }
  const options = { name: 'test', permissions: ['rpc'] } as const

  it('are not read again where this process is the only writer', async () => {
    const { keys, asked } = watched('embedded')
    const { key } = await keys.create(options)
    await keys.lookup(key)
    await keys.lookup(key)
    expect(asked()).toBe(1)
  })

  it('are read each time from a server, where others write too', async () => {
    const { keys, asked } = watched('server')
    const { key } = await keys.create(options)
    await keys.lookup(key)
    await keys.lookup(key)
    expect(asked()).toBe(2)
  })

  it('are not cached when they change during the read', async () => {
    const { keys, holdUntil } = watched('embedded')
    const { key, record } = await keys.create(options)
    let release = () => {}
    holdUntil(
      new Promise((resolve) => {
        release = resolve
      }),
    )
    const early = keys.lookup(key)
    await keys.delete(record.id)
    release()
    await early
    expect(await keys.lookup(key)).toBeUndefined()
  })
})
