import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { engines } from './engines.fixture.ts'
import { openDatabase } from './openDatabase.ts'
import { openStore, type Store } from './openStore.ts'
import { reportDurability } from './reportDurability.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-durable-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const syncsOf = ({ database }: Store) => database.syncs?.().syncs ?? 0

async function addKeys(store: Store, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await store.apiKeys.create({ name: `${n}`, permissions: ['rpc'] })
}

describe.each([true, false])('a durable directory, in a thread: %s', (ownThread) => {
  it('syncs once for a commit, and not for a read', async () => {
    const store = await openStore({ dataDir: home, ownThread })
    try {
      expect(store.database.durability.mode).toBe('durable')
      await addKeys(store, 3)
      const before = syncsOf(store)
      await addKeys(store, 20)
      expect(syncsOf(store) - before).toBe(20)
      await store.database.query('select count(*) from api_keys')
      expect(syncsOf(store) - before).toBe(20)
    } finally {
      await store.close()
    }
  })

  it('syncs an unacknowledged change with the next commit, or before it is read', async () => {
    const store = await openStore({ dataDir: home, ownThread })
    const { database } = store
    try {
      await addKeys(store, 3)
      const rename = (name: string) =>
        database.query('update api_keys set name = $1', [name], { unacknowledged: true })
      const before = syncsOf(store)
      await rename('a')
      await rename('b')
      expect(syncsOf(store) - before).toBe(0)
      await addKeys(store, 1)
      expect(syncsOf(store) - before).toBe(1)
      await rename('c')
      await database.query('select name from api_keys')
      expect(syncsOf(store) - before).toBe(2)
    } finally {
      await store.close()
    }
  })

  it('syncs once for commits that wait together', async () => {
    const store = await openStore({ dataDir: home, ownThread })
    try {
      await addKeys(store, 3)
      const before = syncsOf(store)
      const creations = Array.from({ length: 100 }, (_, n) =>
        store.apiKeys.create({ name: `together ${n}`, permissions: ['rpc'] }),
      )
      await Promise.all(creations)
      const made = syncsOf(store) - before
      expect(made).toBeGreaterThan(0)
      expect(made).toBeLessThan(70)
    } finally {
      await store.close()
    }
  })

  it('syncs the files that a checkpoint has written', async () => {
    const store = await openStore({ dataDir: home, ownThread })
    try {
      await addKeys(store, 3)
      const before = syncsOf(store)
      await store.database.execute('checkpoint')
      // At least the log, the table, its indexes, the control file and directories.
      expect(syncsOf(store) - before).toBeGreaterThan(8)
    } finally {
      await store.close()
    }
  })
})

it('a relaxed directory and a database in memory sync nothing, and say so', async () => {
  const relaxed = await openStore({ dataDir: home, durability: 'relaxed' })
  const memory = await openStore()
  try {
    expect(relaxed.database.durability.mode).toBe('relaxed')
    expect(relaxed.database.syncs).toBeUndefined()
    expect(memory.database.durability.mode).toBe('memory')
  } finally {
    await relaxed.close()
    await memory.close()
  }
})

it.each(engines.filter(({ url }) => url !== undefined))(
  'a server reports settings that lose commits',
  async ({ url }) => {
    const weak = new URL(url as string)
    weak.searchParams.set('options', '-c synchronous_commit=off')
    const lines: string[] = []
    const log = (_: object, text: string) => void lines.push(text)
    const database = await openDatabase({ url: weak.href })
    try {
      expect(database.durability.mode).toBe('relaxed')
      expect(database.durability.problems).toContain('synchronous_commit is off')
      reportDurability({ info: log, warn: log }, database)
      expect(lines).toEqual([expect.stringContaining('synchronous_commit is off')])
    } finally {
      await database.close()
    }
  },
)
