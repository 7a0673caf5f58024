import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { systemClock } from 'polgate-protocol/clock.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createContentStore } from '../content/contentStore.ts'
import { migrateTo } from '../store/migrate.ts'
import { openDatabase } from '../store/openDatabase.ts'
import { openStore } from '../store/openStore.ts'
import { newestSchema } from '../store/schemaVersion.ts'
import { openTestStore } from '../store/testing/openTestStore.ts'
import { stoppedChain } from './chainSource.ts'
import { fillStore } from './filledStore.fixture.ts'
import { loadSnapshot } from './loadSnapshot.ts'
import { type SnapshotSources, saveSnapshot } from './saveSnapshot.ts'
import { writeSnapshotFile } from './snapshotFile.ts'

const block = 512

let home: string
let whole: Buffer
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-half-written-'))
  const source = await openTestStore()
  try {
    await fillStore(source)
    const content = createContentStore({ directory: join(home, 'content') })
    await content.put(new TextEncoder().encode('package p'))
    await writeFile(join(home, 'chain.json'), '{"block":{"number":"0x7"}}')
    const file = join(home, 'whole.snapshot')
    const chain = stoppedChain(join(home, 'chain.json'), Buffer.from('{"deployed":true}'))
    await save(file, { database: source.database, chain, content })
    whole = await readFile(file)
  } finally {
    await source.close()
  }
})
afterAll(() => rm(home, { recursive: true, force: true }))

const save = (file: string, sources: Omit<SnapshotSources, 'release' | 'clock'>) =>
  writeSnapshotFile(file, (to) =>
    saveSnapshot({ ...sources, release: '1.2.3', clock: systemClock }, to),
  )

const load = (file: string, dataDir: string) =>
  loadSnapshot(file, {
    ...{ dataDir, contentDirectory: join(home, 'other content'), replace: true },
    ...{ without: { chain: false, content: false }, clock: systemClock },
  })

/** Where the parts of a tar begin and end, and where the header of one ends. */
function boundaries(tar: Buffer): readonly number[] {
  const found: number[] = []
  for (let at = 0; at < tar.length && tar[at] !== 0; ) {
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8)
    found.push(at, at + block)
    at += block + Math.ceil(size / block) * block
    found.push(at)
  }
  return [...new Set(found)].filter((at) => at < tar.length)
}

describe('a half-written snapshot', () => {
  const directory = () => join(home, 'data')

  /** Refused by its name and with a problem, and nothing is changed. */
  async function isRefused(bytes: Uint8Array): Promise<void> {
    const file = join(home, 'half.snapshot')
    await writeFile(file, bytes)
    const error = await load(file, directory()).then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    )
    expect(error).toMatchObject({ name: 'SnapshotError', code: 'damaged' })
    expect(error?.message).toMatch(
      /half\.snapshot(: The snapshot is damaged: .+| is not a snapshot)/,
    )
    expect(await readdir(directory())).toEqual(['earlier'])
    expect(existsSync(join(home, 'other content'))).toBe(false)
  }

  it('is refused at the end of each of its parts, and nothing of it is applied', async () => {
    await mkdir(join(directory(), 'earlier'), { recursive: true })
    const tar = gunzipSync(whole)
    const cuts = boundaries(tar)
    expect(cuts.length).toBeGreaterThan(20)
    // The last part ends with the data; what follows are the zeros that end a tar.
    const ends = tar.lastIndexOf('end.json')
    for (const cut of cuts.filter((at) => at <= ends))
      await isRefused(gzipSync(tar.subarray(0, cut)))
  })

  it('is refused at any byte, and nothing of it is applied', async () => {
    await mkdir(join(directory(), 'earlier'), { recursive: true })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async (cut) => {
        await isRefused(whole.subarray(0, cut))
        // The length of the file was on disk before its data; its last byte is a zero.
        const padded = Buffer.concat([whole.subarray(0, cut), Buffer.alloc(whole.length - cut)])
        if (!padded.equals(whole)) await isRefused(padded)
      }),
      { numRuns: 40, examples: [[0], [1], [2], [3], [whole.length - 1]] },
    )
  })
})

describe('a snapshot of an earlier release', () => {
  it.each([1, 4, newestSchema - 1])(
    'with schema %i is loaded into a directory, and upgraded',
    async (schema) => {
      const old = await openDatabase({})
      const file = join(home, `old-${schema}.snapshot`)
      try {
        await old.transaction(async (tx) => {
          // A new database has the newest schema.
          await tx.execute('drop schema public cascade; create schema public')
          await migrateTo(schema, tx)
          await tx.execute(
            `insert into secrets values ('0x1', '0x2', 'of schema ${schema}', now())`,
          )
        })
        expect((await save(file, { database: old })).manifest.schema).toBe(schema)
      } finally {
        await old.close()
      }
      const dataDir = join(home, `upgraded-${schema}`)
      await load(file, dataDir)
      const store = await openStore({ dataDir })
      try {
        expect(await store.secrets.get({ policyClient: '0x1', policyDataAddress: '0x2' })).toBe(
          `of schema ${schema}`,
        )
        expect(await store.database.query('select max(id) as id from schema_migrations')).toEqual([
          { id: newestSchema },
        ])
      } finally {
        await store.close()
      }
    },
  )
})
