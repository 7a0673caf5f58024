import { mkdirSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { mountSmallDisk } from 'polgate-lib/files/smallDisk.fixture.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import { openStore, type Store } from 'polgate-service/store/openStore.ts'
import { openServer } from 'polgate-service/store/server.ts'
import { startPostgres } from 'polgate-service/store/testing/postgresServer.ts'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startLocalStack } from './localStack.ts'
import { readyz, readyzWithinMs, untilReadyz } from './testing/readyz.ts'
import { plainIntent, stackClient } from './testing/stackClient.ts'

const cleanup = createCleanupStack()

/** A stack with tasks all the time, of which it keeps those whose success was acknowledged. */
async function loadedStack(open: () => Promise<Store>) {
  let store: Store | undefined
  const stack = await startLocalStack({
    openStore: async () => {
      store = await open()
      return store
    },
  })
  cleanup.defer(() => stack.close())
  const acknowledged: Bytes32[] = []
  let stopped = false
  const client = stackClient(stack.description)
  const policyClient = stack.description.clients['allow-list']!.policyClient
  const load = (async () => {
    for (let value = 1; !stopped; value++) {
      const { result } = await client.call('createTask', {
        policy_client: policyClient,
        intent: plainIntent(stack.description, value),
        timeout: 3,
      })
      if (result?.status === 'success') acknowledged.push(result.task_id as Bytes32)
      await pause(20)
    }
  })()
  const stop = () => {
    stopped = true
    return load
  }
  cleanup.defer(stop)
  return {
    stack,
    acknowledged,
    stop,
    async lost() {
      const rows = await store!.database.query<{ id: Bytes32 }>(
        "select id from tasks where status = 'success'",
      )
      const kept = new Set(rows.map(({ id }) => id))
      return acknowledged.filter((id) => !kept.has(id.toLowerCase() as Bytes32))
    },
    progress: async (tasks = 5) => {
      const goal = acknowledged.length + tasks
      await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(goal)
    },
  }
}

type Fault = {
  readonly begin: () => unknown
  readonly end: () => unknown
  readonly says: RegExp
}

/** The fault comes and goes twice: readiness follows, and nothing acknowledged is lost without a restart. */
async function survive(open: () => Promise<Store>, { begin, end, says }: Fault) {
  const run = await loadedStack(open)
  const { description } = run.stack
  const gauge = async () =>
    (await (await fetch(`${description.adminUrl}/metrics`)).text()).match(
      /^ready\{need="store"\} (\d)$/m,
    )?.[1]
  await untilReadyz(description, 200)
  const times: number[] = []
  for (let round = 0; round < 2; round++) {
    await run.progress()
    await begin()
    const away = await untilReadyz(description, 503)
    expect(away.text).toMatch(/^not ready\nstore: /)
    expect(await gauge()).toBe('0')
    // Calls go on meanwhile.
    await pause(500)
    const still = await readyz(description)
    expect(still.status).toBe(503)
    expect(still.text).toMatch(says)
    await end()
    const back = await untilReadyz(description, 200)
    expect(await gauge()).toBe('1')
    times.push(away.ms, back.ms)
    await run.progress()
  }
  await run.stop()
  expect(await run.lost()).toEqual([])
  expect(Math.max(...times)).toBeLessThan(readyzWithinMs)
}

const disk = mountSmallDisk('320m')
afterAll(() => disk?.close())

describe.runIf(disk !== undefined)('storage that fails', { timeout: 240_000 }, () => {
  const { directory, fill, free, clear, coverReadOnly } = disk!
  let dataDir: string
  beforeEach(async () => {
    free()
    dataDir = await mkdtemp(join(directory, 'store-'))
  })
  afterEach(async () => {
    await cleanup.close()
    clear()
  })
  const embedded = () => openStore({ dataDir, ownThread: true })

  it('embedded, on a full disk', async () => {
    await survive(embedded, { begin: fill, end: free, says: /the disk is full/ })
  })

  it('embedded, on a read-only file system', async () => {
    let uncover: (() => void) | undefined
    const begin = () => {
      uncover = coverReadOnly(dataDir)
    }
    const end = () => {
      uncover?.()
      uncover = undefined
    }
    cleanup.defer(end)
    await survive(embedded, { begin, end, says: /read-only|could not create/ })
  })

  const durable = async (path: string) => {
    const data = join(directory, path)
    mkdirSync(data)
    const server = await startPostgres({ durable: true, data })
    cleanup.defer(() => server.stop())
    return server
  }

  it('PostgreSQL, on a full disk', async () => {
    const server = await durable('full')
    await survive(() => openStore({ url: server.url }), {
      begin: fill,
      end: free,
      says: /disk is full/,
    })
  })

  it('PostgreSQL that is read-only, as a standby is', async () => {
    const server = await durable('standby')
    const setReadOnly = async (on: boolean) => {
      const admin = await openServer(server.url)
      await admin.execute('set session characteristics as transaction read write')
      await admin.execute(`alter system set default_transaction_read_only = ${on ? 'on' : 'off'}`)
      await admin.query('select pg_reload_conf()')
      await admin.close()
    }
    await survive(() => openStore({ url: server.url }), {
      begin: () => setReadOnly(true),
      end: () => setReadOnly(false),
      says: /is read-only \(25006\)/,
    })
  })
})
