import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { systemClock } from 'polgate-protocol/clock.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createContentStore } from '../content/contentStore.ts'
import { engines } from '../store/engines.fixture.ts'
import { migrateTo } from '../store/migrate.ts'
import { openStore, type Store } from '../store/openStore.ts'
import { newestSchema } from '../store/schemaVersion.ts'
import { openEmptyStore } from '../store/testing/openEmptyStore.ts'
import { openTestStore } from '../store/testing/openTestStore.ts'
import { stoppedChain } from './chainSource.ts'
import { allRows, fillStore } from './filledStore.fixture.ts'
import { type LoadTarget, loadSnapshot } from './loadSnapshot.ts'
import { ownTables } from './ownTables.ts'
import { type SnapshotSources, saveSnapshot } from './saveSnapshot.ts'
import { writeSnapshotFile } from './snapshotFile.ts'
import { verifySnapshot } from './verifySnapshot.ts'

const server = engines.find(({ name }) => name === 'server')?.url
const state = { block: { number: '0x7' }, accounts: { '0x01': { balance: '0x1' } } }

let home: string
let source: Store
let key: string
let sources: SnapshotSources
let file: string
let rows: Record<string, string[]>
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-snapshot-'))
  source = await openTestStore()
  ;({ key } = await fillStore(source))
  const content = createContentStore({ directory: join(home, 'content') })
  await content.put(new TextEncoder().encode('package p'))
  await content.put(randomBytes(2_500_000))
  await writeFile(join(home, 'chain.json'), JSON.stringify(state))
  sources = {
    database: source.database,
    chain: stoppedChain(join(home, 'chain.json'), Buffer.from('{"deployed":true}')),
    content,
    release: '1.2.3',
    clock: systemClock,
  }
  file = join(home, 'one.snapshot')
  await save(file)
  rows = await allRows(source.database)
})
afterAll(async () => {
  await source.close()
  await rm(home, { recursive: true, force: true })
})

const save = (to: string, changed: Partial<SnapshotSources> = {}, signal?: AbortSignal) =>
  writeSnapshotFile(to, (stream) => saveSnapshot({ ...sources, ...changed }, stream), signal)
const into = (target: Partial<LoadTarget>): LoadTarget => ({
  replace: false,
  without: { chain: false, content: false },
  clock: () => Date.parse('2026-02-03T04:05:06.789Z'),
  ...target,
})
const withoutBoth = { chain: true, content: true }

describe('a snapshot', () => {
  it('is a file readable only by its owner, which tar can list', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const { stdout } = await promisify(execFile)('tar', ['tzf', file])
    const names = stdout.trim().split('\n')
    expect(names[0]).toBe('manifest.json')
    expect(names.at(-1)).toBe('end.json')
    expect(names).toContain('database/tasks/000000')
    expect(names.join()).not.toMatch(/leases|rate_limits/)
    const { manifest, contents, leftOut } = await verifySnapshot(file)
    expect(manifest).toMatchObject({ schema: newestSchema, engine: 'embedded', release: '1.2.3' })
    expect({ contents, leftOut }).toEqual({ contents: 5, leftOut: [] })
    // Plaintext keys are not in it.
    expect(gunzipSync(await readFile(file)).includes(key)).toBe(false)
  })

  it('is loaded into an empty directory, and moved aside by the next one', async () => {
    const dataDir = join(home, 'data')
    const contentDirectory = join(home, 'other content')
    const loaded = await loadSnapshot(file, into({ dataDir, contentDirectory }))
    expect(loaded).toMatchObject({ contents: 5, chain: true, rows: { tasks: 20 }, aside: {} })
    expect(JSON.parse(await readFile(join(dataDir, 'chain.json'), 'utf8'))).toEqual(state)
    expect(await readFile(join(dataDir, 'deployment.json'), 'utf8')).toBe('{"deployed":true}')
    const blocks = async (directory: string) => (await readdir(directory)).sort()
    expect(await blocks(contentDirectory)).toEqual(await blocks(join(home, 'content')))
    const store = await openStore({ dataDir: join(dataDir, 'store') })
    expect(await allRows(store.database)).toEqual(rows)
    expect(await store.apiKeys.lookup(key)).toMatchObject({ permissions: ['rpc', 'admin'] })
    // A running service is not disturbed, and existing data is not replaced.
    const target = into({ dataDir, contentDirectory })
    await expect(loadSnapshot(file, target)).rejects.toMatchObject({ code: 'occupied' })
    await expect(loadSnapshot(file, { ...target, replace: true })).rejects.toThrow('in use')
    await store.apiKeys.create({ name: 'since then', permissions: ['rpc'] })
    await store.close()
    await expect(loadSnapshot(file, target)).rejects.toMatchObject({ code: 'occupied' })

    const { aside } = await loadSnapshot(file, { ...target, replace: true })
    expect(aside.directory).toBe(join(dataDir, 'before-20260203T040506Z'))
    expect((await readdir(dataDir)).sort()).toEqual(
      ['before-20260203T040506Z', 'chain.json', 'deployment.json', 'store'].sort(),
    )
    expect(await readdir(join(dataDir, 'store'))).toEqual(['cluster'])
    const before = await openStore({ dataDir: join(aside.directory!, 'store') })
    expect(await before.database.query('select 1 from api_keys')).toHaveLength(2)
    await before.close()
  }, 300_000)

  it('requires a location for each of its parts', async () => {
    const databaseUrl = 'postgres://svc:a-password@127.0.0.1:1/none'
    const refused = (target: Partial<LoadTarget>) =>
      expect(loadSnapshot(file, into(target))).rejects
    await refused({}).toMatchObject({ code: 'no-place', message: /database/ })
    await refused({ databaseUrl }).toMatchObject({ hint: /--without-chain/ })
    await refused({ databaseUrl, without: { chain: true, content: false } }).toMatchObject({
      hint: /--content-dir/,
    })
    await refused({ databaseUrl, without: withoutBoth }).toThrow('cannot be reached')
  })

  it('that is interrupted leaves only the earlier file', async () => {
    const kept = await readFile(file)
    const stop = new AbortController()
    const chain = {
      ...sources.chain!,
      async *state() {
        yield randomBytes(5_000_000)
        stop.abort(new Error('interrupted'))
        yield randomBytes(5_000_000)
      },
    }
    await expect(save(file, { chain }, stop.signal)).rejects.toThrow()
    expect((await readFile(file)).equals(kept)).toBe(true)
    expect((await readdir(home)).filter((name) => name.includes('.part'))).toEqual([])
    // The database is unlocked again, and the next attempt removes drafts of a killed process.
    await writeFile(join(home, '.two.snapshot.4194303-00000000.part'), 'half')
    await save(join(home, 'two.snapshot'))
    expect((await readdir(home)).filter((name) => name.includes('.part'))).toEqual([])
  })

  it('that cannot be written reports why', async () => {
    await expect(save(join(home, 'none', 'file'))).rejects.toMatchObject({
      message: expect.stringContaining('its directory does not exist'),
    })
    await expect(save(join(home, 'content'))).rejects.toMatchObject({ code: 'storage' })
  })

  it('omits and reports content that was altered on disk', async () => {
    const directory = join(home, 'altered')
    const content = createContentStore({ directory })
    const cid = await content.put(new TextEncoder().encode('package q'))
    await content.put(new TextEncoder().encode('package r'))
    await writeFile(join(directory, cid), 'package x')
    expect(await save(join(home, 'three'), { content })).toMatchObject({
      contents: 1,
      leftOut: [cid],
    })
  })

  it('covers every table of the migrations, which have only supported objects', async () => {
    const found = await source.database.query<{ name: string; kind: string }>(
      `select relname as name, relkind as kind from pg_class
       where relnamespace = quote_ident(current_schema())::regnamespace and relkind not in ('i', 'I')`,
    )
    expect(new Set(found.map(({ name }) => name))).toEqual(ownTables())
    // Sequences, views, partitions, triggers and generated columns would need more than rows.
    expect(found.filter(({ kind }) => kind !== 'r')).toEqual([])
    expect(await source.database.query('select 1 from pg_trigger where not tgisinternal')).toEqual(
      [],
    )
    const generated = `select 1 from pg_attribute where attrelid::regclass::text = any($1)
      and (attgenerated <> '' or attidentity <> '')`
    expect(await source.database.query(generated, [[...ownTables()]])).toEqual([])
  })

  it('reads a table in small pieces', async () => {
    await source.database.execute(
      `insert into secrets select 'big', n::text, repeat('y', 20000), now() from generate_series(1, 600) n`,
    )
    const big = join(home, 'big.snapshot')
    expect((await save(big)).rows.secrets).toBe(602)
    await source.database.execute(`delete from secrets where policy_client = 'big'`)
    const { stdout } = await promisify(execFile)('tar', ['tvzf', big])
    const sizes = [...stdout.matchAll(/(\d+) \S+ \S+ database\/secrets/g)].map(([, n]) => Number(n))
    expect(sizes.length).toBeGreaterThan(3)
    expect(Math.max(...sizes)).toBeLessThan(5_000_000)
  })
})

describe.runIf(server !== undefined)('a snapshot on a server', () => {
  /** A separate schema, and its URL. */
  async function empty(): Promise<{ store: Store; url: string }> {
    const store = await openEmptyStore(server)
    const [row] = await store.database.query<{ schema: string }>('select current_schema as schema')
    const url = new URL(server!)
    url.searchParams.set('options', `-c search_path=${row!.schema}`)
    return { store, url: url.href }
  }

  it('of the embedded engine can be loaded, and back again', async () => {
    const { store, url } = await empty()
    const target = into({ databaseUrl: url, without: withoutBoth })
    expect((await loadSnapshot(file, target)).rows.tasks).toBe(20)
    expect(await allRows(store.database)).toEqual(rows)
    const back = join(home, 'back.snapshot')
    const { manifest } = await save(back, { database: store.database, chain: undefined })
    expect(manifest).toMatchObject({ engine: 'server', chain: null })
    await store.close()
    const dataDir = join(home, 'back')
    await loadSnapshot(back, into({ dataDir, without: withoutBoth }))
    const again = await openStore({ dataDir })
    expect(await allRows(again.database)).toEqual(rows)
    await again.close()
  }, 300_000)

  it('moves existing data aside in one step, and never under a running service', async () => {
    const { store, url } = await empty()
    await store.secrets.put({ policyClient: '0x1', policyDataAddress: '0x2' }, 'kept')
    const target = into({ databaseUrl: url, without: withoutBoth })
    await expect(loadSnapshot(file, target)).rejects.toMatchObject({ code: 'occupied' })
    await store.leases.take('gateway/1', 'me', 60_000)
    const replace = { ...target, replace: true }
    await expect(loadSnapshot(file, replace)).rejects.toMatchObject({ code: 'in-use' })
    await store.leases.release('gateway/1', 'me')
    await store.database.execute('create table of_another (id int)')
    await expect(loadSnapshot(file, replace)).rejects.toThrow(
      'of_another, which does not belong to the service',
    )
    await store.database.execute('drop table of_another')
    expect(await store.secrets.get({ policyClient: '0x1', policyDataAddress: '0x2' })).toBe('kept')

    const { schema } = (await loadSnapshot(file, replace)).aside
    expect(schema).toMatch(/_before_20260203t040506z$/)
    expect(await store.database.query(`select envelope from ${schema}.secrets`)).toEqual([
      { envelope: 'kept' },
    ])
    expect(await allRows(store.database)).toEqual(rows)
    await store.database.execute(`drop schema ${schema} cascade`)
    await store.close()
  })

  it('of an older schema is loaded, and upgraded', async () => {
    const { store } = await empty()
    await store.database.transaction(async (tx) => {
      const [row] = await tx.query<{ here: string }>('select current_schema() as here')
      await tx.execute(`drop schema ${row!.here} cascade; create schema ${row!.here}`)
      await migrateTo(1, tx)
      await tx.execute(`insert into secrets values ('0x1', '0x2', 'of the first', now())`)
    })
    const old = join(home, 'old.snapshot')
    const saved = await save(old, {
      database: store.database,
      chain: undefined,
      content: undefined,
    })
    expect(saved.manifest).toMatchObject({ schema: 1, tables: { length: 4 } })
    await store.close()
    const other = await empty()
    await loadSnapshot(old, into({ databaseUrl: other.url }))
    const { database, secrets, webhooks } = other.store
    expect(await secrets.get({ policyClient: '0x1', policyDataAddress: '0x2' })).toBe(
      'of the first',
    )
    expect(await webhooks.get('nobody')).toBeUndefined()
    expect(await database.query('select max(id) as id from schema_migrations')).toEqual([
      { id: newestSchema },
    ])
    await other.store.close()
  })

  it('leaves a database unchanged when it fails midway', async () => {
    const { store, url } = await empty()
    await store.secrets.put({ policyClient: '0x1', policyDataAddress: '0x2' }, 'kept')
    const stop = new AbortController()
    const content = { list: async () => [{ cid: 'bafkreiaad5yng424hb7xf3td53vxnj6kqeysx5ko2wugsgrwdv7heqaxxi', bytes: 1 }], block: async () => new Uint8Array(1) } // biome-ignore format: a line
    const target = into({
      databaseUrl: url,
      replace: true,
      without: withoutBoth,
      signal: stop.signal,
      clock: () => {
        // It has been verified by now; the rest is loading.
        stop.abort(new Error('interrupted'))
        return Date.now()
      },
    })
    await expect(loadSnapshot(file, target)).rejects.toThrow('interrupted')
    expect(await store.secrets.get({ policyClient: '0x1', policyDataAddress: '0x2' })).toBe('kept')
    // Content that does not match its id is detected during the write.
    const wrong = join(home, 'wrong.snapshot')
    await expect(save(wrong, { content })).rejects.toMatchObject({ code: 'damaged' })
    expect(existsSync(wrong)).toBe(false)
    await store.close()
  })
})
