import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from './engines.fixture.ts'
import { migrate } from './migrate.ts'
import { openStore, type Store } from './openStore.ts'
import { migrations } from './schema.ts'
import { openEmptyStore } from './testing/openEmptyStore.ts'

const places = [
  ...engines.map((engine) => ({ ...engine, ownThread: false })),
  { name: 'embedded', url: undefined, ownThread: true },
]

describe.each(places)('$name engine, own thread: $ownThread', ({ name, url, ownThread }) => {
  let store: Store
  beforeAll(async () => {
    store = await openEmptyStore(url, { ownThread })
    await store.database.execute(
      'create table scratch (n int4, big int8, t timestamptz, j json, b bytea)',
    )
  })
  afterAll(async () => {
    await store.database.execute('drop table scratch')
    await store.close()
  })
  const count = async () => (await store.database.query('select * from scratch')).length

  it('reports its engine', () => {
    expect(store.database.engine).toBe(name)
  })

  it('returns values of the same types', async () => {
    const { database } = store
    const [row] = await database.query(
      'insert into scratch values ($1, $2, $3, $4, $5) returning *',
      [7, 9_007_199_254_740_991, new Date(5), '{"a":[1]}', new Uint8Array([1, 255])],
    )
    expect(row).toMatchObject({ n: 7, big: 9_007_199_254_740_991, t: new Date(5), j: { a: [1] } })
    expect([...(row!.b as Uint8Array)]).toEqual([1, 255])
    await database.query('delete from scratch')
  })

  // The driver of a server takes one statement at a time.
  it.runIf(name === 'embedded')('rolls back statements that follow a failed one', async () => {
    for (let round = 0; round < 20; round += 1) {
      // New texts, which are not known to the engine yet.
      const texts = [1, 2, 3].map((n) => `insert into scratch (n) values (${n} + 0 * ${round})`)
      const broken = store.database.transaction((tx) =>
        Promise.all([tx.query(`select nonsense_${round}`), ...texts.map((text) => tx.query(text))]),
      )
      await expect(broken).rejects.toMatchObject({ code: '42703' })
    }
    expect(await count()).toBe(0)
  })

  it('does not report a transaction as committed in which a statement failed', async () => {
    const broken = store.database.transaction(async (tx) => {
      await tx.query('insert into scratch (n) values (1)')
      await tx.query('select nonsense').catch(() => undefined)
    })
    await expect(broken).rejects.toThrow('rolled back')
    expect(await count()).toBe(0)
  })

  it.skipIf(name === 'server')('keeps no plans of before a change of tables', async () => {
    const { database } = store
    const kept = () => database.query('select name from pg_prepared_statements')
    await database.query('select 1 as planned', [], { planOnce: true })
    expect((await kept()).length).toBeGreaterThan(0)
    await database.execute('create table changed (id int); drop table changed')
    expect(await kept()).toEqual([])
    expect(await database.query('select 1 as planned', [], { planOnce: true })).toEqual([
      { planned: 1 },
    ])
  })

  it.runIf(name === 'server')('compiles no statement and runs none in parallel', async () => {
    const settings = `select name, setting, source from pg_settings
      where name in ('jit', 'max_parallel_workers_per_gather') order by name`
    const off = [
      { name: 'jit', setting: 'off', source: 'session' },
      { name: 'max_parallel_workers_per_gather', setting: '0', source: 'session' },
    ]
    const { database } = store
    expect(await database.query(settings)).toEqual(off)
    expect(await database.transaction((tx) => tx.query(settings))).toEqual(off)
  })

  it.runIf(name === 'server')('plans a named statement once, whatever its values are', async () => {
    const plans = await store.database.transaction(async (tx) => {
      // One value has all rows but one: a plan for the other looks cheaper than one for both.
      await tx.query('insert into scratch (n) select least(1, i) from generate_series(0, 5000) i')
      await tx.execute('create index scratch_n on scratch (n); analyze scratch')
      const sql = 'select sum(big) as skewed from scratch where n = $1'
      for (let i = 0; i < 8; i++) await tx.query(sql, [0], { planOnce: true })
      const counts = await tx.query(
        `select generic_plans, custom_plans from pg_prepared_statements where statement like '%skewed%'
           and statement not like '%pg_prepared%'`,
      )
      await tx.execute('drop index scratch_n; delete from scratch')
      return counts
    })
    expect(plans).toEqual([{ generic_plans: 8, custom_plans: 0 }])
  })

  it.runIf(name === 'embedded')('reads the columns of a changed table', async () => {
    const { database } = store
    const read = () => database.query('select * from scratch', [], { planOnce: true })
    await database.query('insert into scratch (n) values (1)')
    await read()
    await database.execute('alter table scratch add column more int4 default 2')
    expect(await read()).toMatchObject([{ n: 1, more: 2 }])
    await database.execute('alter table scratch drop column more')
    await database.query('delete from scratch')
  })

  it('commits on success and rolls back on an error', async () => {
    const insert = 'insert into scratch (n) values (1)'
    const value = await store.database.transaction(async (tx) => {
      await tx.query(insert)
      return 'value'
    })
    expect([value, await count()]).toEqual(['value', 1])
    const broken = store.database.transaction(async (tx) => {
      await tx.query(insert)
      throw new Error('broken')
    })
    await expect(broken).rejects.toThrow('broken')
    expect(await count()).toBe(1)
    await expect(
      store.database.transaction(async (tx) => {
        await tx.query(insert)
        await tx.query('select nonsense')
      }),
    ).rejects.toThrow('nonsense')
    expect(await count()).toBe(1)
  })

  it('reports why a statement was rejected, without its parameters', async () => {
    const insert = "insert into api_keys (id, hash, name) values ('x', $1, 'SECRET')"
    for (const run of [
      () => store.database.query(insert, [new Uint8Array([1])]),
      () => store.database.transaction((tx) => tx.query(insert, [new Uint8Array([1])])),
    ]) {
      const error = await run().catch((e: unknown) => e)
      expect(error).toMatchObject({ name: 'StatementError', code: '23502' })
      expect((error as Error).message).toContain('null value in column "permissions"')
      expect(inspect(error, { depth: 9 })).not.toContain('SECRET')
    }
  })

  it('isolates concurrent transactions', async () => {
    await store.database.execute('delete from scratch; insert into scratch (n) values (0)')
    const increment = () =>
      store.database.transaction(async (tx) => {
        const [row] = await tx.query<{ n: number }>('select n from scratch for update')
        await tx.query('update scratch set n = $1', [row!.n + 1])
      })
    await Promise.all(Array.from({ length: 20 }, increment))
    expect(await store.database.query('select n from scratch')).toEqual([{ n: 20 }])
  })

  it('does nothing on a second migration', async () => {
    await migrate(store.database)
    expect(await store.database.query('select id from schema_migrations')).toEqual(
      migrations.map(({ id }) => ({ id })),
    )
  })

  it('rejects a database of a newer release', async () => {
    await store.database.execute('insert into schema_migrations (id) values (999)')
    await expect(migrate(store.database)).rejects.toThrow(
      `The database has schema 999, this release supports ${migrations.at(-1)?.id}`,
    )
    await store.database.execute('delete from schema_migrations where id = 999')
  })
})

describe('an unreachable server', () => {
  it('is named in the error without its password', async () => {
    const url = 'postgres://user:PASSWORD@127.0.0.1:1/none'
    const error = await openStore({ url }).catch((e: unknown) => e)
    expect(error).toMatchObject({
      message: 'The PostgreSQL database 127.0.0.1:1/none cannot be reached (ECONNREFUSED)',
      code: 'unavailable',
    })
    expect(String((error as Error).stack) + JSON.stringify(error)).not.toContain('PASSWORD')
  })

  it('fails queries with the same error when it stops', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const error = await openStore({ url: `postgres://user@127.0.0.1:${port}/none` }).catch((e) => e)
    expect(error).toMatchObject({ name: 'StoreError', code: 'unavailable' })
    await new Promise((resolve) => server.close(resolve))
  })
})
