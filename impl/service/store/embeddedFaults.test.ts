import {
  cpSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mountSmallDisk, type SmallDisk } from 'polgate-lib/files/smallDisk.fixture.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openStore, type Store } from './openStore.ts'
import { migrations } from './schema.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'svc-embedded-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const client = '0x1'
const put = (store: Store, n: number) =>
  store.secrets.put({ policyClient: client, policyDataAddress: `0x${n}` }, 'x'.repeat(1_000))
const kept = async (store: Store) =>
  (await store.database.query<{ at: string }>('select policy_data_address as at from secrets')).map(
    ({ at }) => at,
  )

describe('a damaged database', () => {
  let whole: string
  beforeAll(async () => {
    whole = mkdtempSync(join(tmpdir(), 'svc-whole-'))
    const store = await openStore({ dataDir: whole })
    await put(store, 1)
    await store.close()
  })
  afterAll(() => rmSync(whole, { recursive: true, force: true }))

  const cluster = (...place: string[]) => join(home, 'cluster', ...place)
  const logs = () =>
    readdirSync(cluster('pg_wal'))
      .filter((name) => /^[0-9A-F]{24}$/.test(name))
      .map((name) => cluster('pg_wal', name))
  const tables = (wanted: (name: number) => boolean) =>
    readdirSync(cluster('base')).flatMap((database) =>
      readdirSync(cluster('base', database))
        .filter((name) => /^\d+$/.test(name) && wanted(Number(name)))
        .map((name) => cluster('base', database, name))
        .filter((file) => statSync(file).size > 0),
    )
  const garble = (file: string) => writeFileSync(file, Buffer.alloc(statSync(file).size, 7))
  const each = (files: readonly string[], harm: (file: string) => void) => {
    for (const file of files) harm(file)
  }
  const harms: readonly (readonly [string, () => void])[] = [
    ['pg_control cut off', () => truncateSync(cluster('global', 'pg_control'), 100)],
    ['pg_control of random bytes', () => garble(cluster('global', 'pg_control'))],
    ['no pg_control', () => rmSync(cluster('global', 'pg_control'))],
    ['a log cut off', () => each(logs(), (file) => truncateSync(file, 1_000))],
    ['a log of random bytes', () => each(logs(), garble)],
    ['no log', () => each(logs(), (file) => rmSync(file))],
    ['another version', () => writeFileSync(cluster('PG_VERSION'), '99\n')],
    [
      'a catalogue of random bytes',
      () =>
        each(
          tables((n) => n === 1259 || n === 1249),
          garble,
        ),
    ],
    ['no tables', () => rmSync(cluster('base'), { recursive: true })],
    [
      'empty tables',
      () =>
        each(
          tables((n) => n > 16_384),
          (file) => truncateSync(file, 0),
        ),
    ],
  ]
  it.each(harms)('with %s reports its directory and a remedy', async (_, harm) => {
    cpSync(whole, home, { recursive: true })
    harm()
    const error = (await openStore({ dataDir: home }).catch((thrown: unknown) => thrown)) as Error
    expect(error).toMatchObject({ name: 'StoreError', code: 'damaged' })
    expect(error.message).toContain(`The database in ${home} is damaged`)
    expect((error as Error & { hint: string }).hint).toContain('polgate snapshot load FILE')
    expect(readdirSync(home).filter((name) => name.endsWith('.lock'))).toEqual([])
  })

  it('is distinguished from one of a newer release', async () => {
    const store = await openStore({ dataDir: home })
    await store.database.execute('insert into schema_migrations values (999)')
    await store.close()
    await expect(openStore({ dataDir: home })).rejects.toMatchObject({
      code: 'schema',
      message: `The database has schema 999, this release supports ${migrations.length}`,
    })
  })

  it('names a lock file without a readable owner', async () => {
    const lock = join(home, `writer-${process.ppid}-000000000000.lock`)
    writeFileSync(lock, '\0\0')
    await expect(openStore({ dataDir: home })).rejects.toMatchObject({
      code: 'in-use',
      hint: expect.stringContaining(`delete ${lock}`),
    })
  })
})

const disk = mountSmallDisk('96m')

describe.runIf(disk !== undefined)('a full disk', { timeout: 240_000 }, () => {
  const { directory, fill, free, readOnly, clear, close } = disk ?? ({} as SmallDisk)
  afterEach(clear)
  afterAll(close)
  const full = (dataDir: string) => ({
    name: 'StoreError',
    code: 'unavailable',
    message: expect.stringMatching(`^The database in ${dataDir} .*the disk is full`),
    hint: expect.stringContaining('Free disk space'),
  })

  it.each([
    ['in this thread', false],
    ['in a separate thread', true],
  ])(
    'fails requests without loss of stored data, and recovers when there is space: %s',
    async (_, ownThread) => {
      const dataDir = join(directory, String(ownThread))
      let store = await openStore({ dataDir, ownThread })
      const acknowledged: string[] = []
      let made = 0
      const write = async () => {
        made += 1
        await put(store, made)
        acknowledged.push(`0x${made}`)
      }
      for (let round = 0; round < 2; round++) {
        for (let n = 0; n < 20; n++) await write()
        fill()
        // A table that cannot grow fails a statement; a log that cannot grow ends PostgreSQL.
        const errors: unknown[] = []
        for (let n = 0; n < 40; n++) await write().catch((error: unknown) => errors.push(error))
        const log = () =>
          store.database.query("select pg_logical_emit_message(true, 't', repeat('y', 500000))")
        for (let n = 0; n < 200 && errors.length < 60; n++)
          await log().catch((error: unknown) => errors.push(error))
        expect(errors.length).toBeGreaterThan(0)
        for (const error of errors) expect(error).toMatchObject(full(dataDir))
        free()
        await expect
          .poll(() => write().then(() => 'stored', String), { timeout: 60_000 })
          .toBe('stored')
        const found = await kept(store)
        expect(acknowledged.filter((at) => !found.includes(at))).toEqual([])
      }
      await store.close()
      store = await openStore({ dataDir })
      const found = await kept(store)
      expect(acknowledged.filter((at) => !found.includes(at))).toEqual([])
      expect(new Set(found).size).toBe(found.length)
      await store.close()
    },
  )

  it('is reported at startup, which leaves no files behind', async () => {
    const dataDir = join(directory, 'start')
    fill()
    await expect(openStore({ dataDir })).rejects.toMatchObject(full(dataDir))
    free()
    const store = await openStore({ dataDir })
    await put(store, 1)
    await store.close()
    fill()
    await expect(openStore({ dataDir })).rejects.toMatchObject(full(dataDir))
    expect(readdirSync(dataDir)).toEqual(['cluster'])
    free()
    const again = await openStore({ dataDir })
    expect(await kept(again)).toEqual(['0x1'])
    await again.close()
  })

  it('is distinguished from a read-only one', async () => {
    const dataDir = join(directory, 'read-only')
    const store = await openStore({ dataDir })
    await store.close()
    readOnly(true)
    try {
      await expect(openStore({ dataDir })).rejects.toMatchObject({
        code: 'unavailable',
        message: `The database in ${dataDir} cannot be written: the file system is read-only (EROFS)`,
        hint: expect.stringContaining('Mount it read-write'),
      })
    } finally {
      readOnly(false)
    }
    await (await openStore({ dataDir })).close()
  })
})
