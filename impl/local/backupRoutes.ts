import type { Hono } from 'hono'
import { packageVersion } from 'polgate-lib/packageVersion.ts'
import { systemClock } from 'polgate-protocol/clock.ts'
import type { ContentStore } from 'polgate-service/content/contentStore.ts'
import { runningChain } from 'polgate-service/snapshot/chainSource.ts'
import { SnapshotError } from 'polgate-service/snapshot/snapshotError.ts'
import { streamSnapshot } from 'polgate-service/snapshot/streamSnapshot.ts'
import type { Database } from 'polgate-service/store/database.ts'
import { databaseStatus } from 'polgate-service/store/databaseStatus.ts'
import type { Deployment } from './deployFixtures.ts'

/** The parts of a running stack that a snapshot contains. */
export type Backup = {
  readonly database: Database
  readonly content: ContentStore
  readonly rpcUrl: string
  readonly deployment: Deployment
  /** Whether the chain is a fork: its state is only what differs from the forked chain. */
  readonly forked?: boolean
}

/** `polgate db status` and `polgate snapshot save` for a running stack, which has the database locked. */
export function addBackupRoutes(app: Hono, backup: Backup): void {
  const { database } = backup
  app.get('/database', async (c) => c.json(await databaseStatus(database)))

  app.post('/snapshot', async (c) => {
    const wanted = (await c.req.json().catch(() => ({}))) as { chain?: boolean; content?: boolean }
    if (wanted.chain !== false && backup.forked === true) {
      const error =
        'the chain is a fork: a snapshot would contain only what differs from the forked chain'
      return c.json(
        { error, hint: 'Save without the chain: polgate snapshot save --without-chain.' },
        422,
      )
    }
    const deployment = Buffer.from(JSON.stringify(backup.deployment))
    const sources = {
      database,
      chain: wanted.chain === false ? undefined : runningChain(backup.rpcUrl, deployment),
      content: wanted.content === false ? undefined : backup.content,
      clock: systemClock,
      release: packageVersion,
    }
    try {
      const body = await streamSnapshot(sources)
      return c.body(body, 200, { 'content-type': 'application/gzip' })
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error
      return c.json({ error: error.message, hint: error.hint }, 422)
    }
  })
}
