import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { mountSmallDisk } from 'polgate-lib/files/smallDisk.fixture.ts'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { engines } from './engines.fixture.ts'
import { openStore } from './openStore.ts'
import { probeCommit } from './probeCommit.ts'
import { openEmptyStore } from './testing/openEmptyStore.ts'

const cleanup = createCleanupStack()
afterEach(cleanup.close)

describe.each(engines)('a probe of the store: $name', ({ name, url }) => {
  it('leaves nothing behind that grows', async () => {
    const store = await openEmptyStore(url)
    cleanup.defer(() => store.close())
    // Rows and tables. A vacuum of the server adds maps of free space at any time.
    const size = async () => {
      const [row] = await store.database.query<{ bytes: number; tables: number }>(
        "select pg_relation_size('leases') as bytes, (select count(*)::int4 from pg_class) as tables",
      )
      return row
    }
    for (let n = 0; n < 5; n++) await probeCommit(store.database)
    const before = await size()
    for (let n = 0; n < 300; n++) await probeCommit(store.database)
    expect(await size()).toEqual(before)
  })

  it.runIf(name === 'server')('waits for no gateway that holds its row', async () => {
    const store = await openEmptyStore(url)
    cleanup.defer(() => store.close())
    await probeCommit(store.database)
    await store.database.transaction(async (tx) => {
      expect(
        await tx.query("select name from leases where name = 'readiness' for update"),
      ).toHaveLength(1)
      await probeCommit(store.database)
    })
  })
})

const disk = mountSmallDisk('96m')
afterAll(() => disk?.close())

it.runIf(disk !== undefined)(
  'a probe fails on a full disk, even while the log has room, and works once there is space',
  async () => {
    const { directory, fill, free } = disk!
    const store = await openStore({ dataDir: directory })
    cleanup.defer(() => store.close())
    await probeCommit(store.database)
    fill()
    // What fits into the log and its tables is still stored.
    expect(await store.leases.take('readiness', '', 1)).toBe(true)
    for (let n = 0; n < 3; n++)
      await expect(probeCommit(store.database)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('the disk is full'),
      })
    free()
    await expect.poll(() => probeCommit(store.database).then(() => 'committed')).toBe('committed')
  },
)
