import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from 'polgate-protocol/clock.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asOneLoad, refuseHalfLoaded } from '../store/halfLoaded.ts'
import { openStore } from '../store/openStore.ts'
import { openTestStore } from '../store/testing/openTestStore.ts'
import { stoppedChain } from './chainSource.ts'
import { fillStore } from './filledStore.fixture.ts'
import { loadSnapshot } from './loadSnapshot.ts'
import { saveSnapshot } from './saveSnapshot.ts'
import { writeSnapshotFile } from './snapshotFile.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'svc-half-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

describe('a load of a snapshot that ends while it moves files', () => {
  it('leaves a directory that is refused by its name until another load', async () => {
    const source = await openTestStore()
    await fillStore(source)
    await writeFile(join(home, 'chain.json'), '{"block":{"number":"0x7"}}')
    const file = join(home, 'one.snapshot')
    await writeSnapshotFile(file, (to) =>
      saveSnapshot(
        {
          database: source.database,
          chain: stoppedChain(join(home, 'chain.json'), Buffer.from('{"deployed":true}')),
          release: '1.2.3',
          clock: systemClock,
        },
        to,
      ),
    )
    await source.close()
    const dataDir = join(home, 'data')
    const load = (replace: boolean) =>
      loadSnapshot(file, {
        ...{ dataDir, replace, clock: systemClock },
        without: { chain: false, content: true },
      })
    await load(false)
    await writeFile(join(dataDir, 'deployment.json'), '{"earlier":true}')
    // The process ends between two moves.
    await rm(join(dataDir, 'chain.json'))
    const store = join(dataDir, 'store')
    const interrupted = asOneLoad(store, join(dataDir, 'before-1'), async () => {
      throw new Error('the process ended')
    })
    await expect(interrupted).rejects.toThrow('the process ended')

    expect(() => refuseHalfLoaded(store)).toThrow(store)
    await expect(openStore({ dataDir: store })).rejects.toMatchObject({
      code: 'unavailable',
      message: `Loading a snapshot into ${store} was interrupted`,
      hint: expect.stringContaining(join(dataDir, 'before-1')),
    })
    // Another one completes it, and keeps what is there.
    const { aside } = await load(true)
    expect(await readFile(join(aside.directory!, 'deployment.json'), 'utf8')).toContain('earlier')
    expect(existsSync(join(dataDir, 'chain.json'))).toBe(true)
    const again = await openStore({ dataDir: store })
    expect(await again.database.query('select 1 from tasks')).toHaveLength(20)
    await again.close()
  }, 300_000)
})
