import { existsSync, openAsBlob } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { types } from '@electric-sql/pglite'
import { type Database, rolledBack, type Transaction } from './database.ts'
import { lockDirectory } from './directoryLock.ts'
import {
  damagedDatabase,
  embeddedErrorOf,
  engineEnded,
  refuseFullDisk,
  storageError,
} from './embeddedErrors.ts'
import { Engine } from './engine.ts'
import { migrate } from './migrate.ts'
import { clusterSettings, copyCluster, placeCluster, preparedCluster } from './preparedCluster.ts'
import { StoreError } from './storeError.ts'

const parsers = { [types.INT8]: (text: string) => Number(text) }

/** Minimum time between two attempts to reopen a database that has stopped, milliseconds. */
const reviveEveryMs = 1_000

type Served = {
  /** Undefined for a database in memory. */
  readonly directory: string | undefined
  /** Opens the same database again. */
  readonly reopen?: () => Promise<Engine>
  readonly release: () => void
}

function databaseOf(first: Engine, { directory, reopen, release }: Served): Database {
  let engine = first
  let closed = false
  let reviving: Promise<Engine> | undefined
  let attemptedAt = Number.NEGATIVE_INFINITY

  async function revive(): Promise<Engine> {
    // Queued queries fail with the old engine, so it no longer uses the files.
    const dead = engine
    if (reopen === undefined || closed || performance.now() - attemptedAt < reviveEveryMs)
      throw engineEnded(directory)
    attemptedAt = performance.now()
    engine = await reopen()
    dead.abandon()
    return engine
  }

  /** The engine, reopened if it has died. */
  async function current(): Promise<Engine> {
    if (!engine.dead) return engine
    reviving ??= revive().finally(() => {
      reviving = undefined
    })
    return await reviving
  }

  const failed = (used: Engine, error: unknown): Error =>
    used.dead ? engineEnded(directory) : embeddedErrorOf(error, directory)

  /** Converts errors of the engine to those of the store. */
  async function converted<T>(used: Engine, run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      throw failed(used, error)
    }
  }

  const queriesOf = (used: Engine): Transaction => ({
    query: (sql, params = [], options) =>
      converted(used, () => used.statements.query(sql, params, options)),
    execute: (script) => converted(used, async () => void (await used.statements.execute(script))),
  })

  /** Commits, or rolls back what `work` has done; its errors reach the caller unchanged. */
  async function transact<T>(used: Engine, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { statements } = used
    await converted(used, () => statements.command('begin'))
    let value: T
    try {
      value = await work(queriesOf(used))
    } catch (error) {
      await converted(used, () => statements.command('rollback'))
      throw error
    }
    const [ended] = await converted(used, () => statements.command('commit'))
    if (ended === 'ROLLBACK') throw rolledBack()
    return value
  }

  return {
    engine: 'embedded',
    async query(sql, params, options) {
      const used = await current()
      return await used.alone(() => queriesOf(used).query(sql, params, options))
    },
    async execute(script) {
      const used = await current()
      await used.alone(() => queriesOf(used).execute(script))
    },
    async transaction(work) {
      const used = await current()
      return await used.alone(() => transact(used, work))
    },
    async close() {
      closed = true
      try {
        await reviving?.catch(() => {})
        if (engine.dead) engine.abandon()
        else if (!engine.closed) await engine.close()
      } finally {
        release()
      }
    },
  }
}

/**
 * Creates a migrated, empty cluster in a new directory.
 *
 * @returns its tar archive
 */
export async function makeCluster(directory: string): Promise<Uint8Array> {
  const lite = await Engine.start({ dataDir: directory, ...clusterSettings })
  await migrate(databaseOf(lite, { directory, release: () => {} }))
  // Closed and reopened: a copy of a clean shutdown starts without recovery.
  await lite.close()
  const again = await Engine.start({ dataDir: directory })
  const tar = await again.dumpDataDir('none')
  await again.close()
  return new Uint8Array(await tar.arrayBuffer())
}

/** Removes incomplete copies that a killed process left. Call it with the lock held. */
async function removeDrafts(directory: string): Promise<void> {
  for (const name of await readdir(directory))
    if (name.startsWith('cluster.'))
      await rm(join(directory, name), { recursive: true, force: true })
}

/** @throws StoreError `damaged`, `unavailable` */
async function openCluster(directory: string): Promise<Engine> {
  refuseFullDisk(directory)
  try {
    return await Engine.start({ dataDir: join(directory, 'cluster'), parsers })
  } catch (error) {
    // PGlite does not report why it fails to start.
    refuseFullDisk(directory)
    throw (
      storageError(directory, error) ??
      damagedDatabase(directory, 'PostgreSQL fails to start on its files', error)
    )
  }
}

async function openOnDisk(directory: string, mustExist: boolean): Promise<Database> {
  if (mustExist && !existsSync(join(directory, 'cluster')))
    throw new StoreError(`There is no database in ${directory}`, {
      code: 'not-found',
      hint: 'Use the data directory of an existing service.',
    })
  let release = () => {}
  try {
    await mkdir(directory, { recursive: true })
    release = lockDirectory(directory)
    await removeDrafts(directory)
    if (!(await readdir(directory)).includes('cluster')) {
      refuseFullDisk(directory)
      const prepared = await preparedCluster(makeCluster)
      await placeCluster(join(directory, 'cluster'), (draft) =>
        prepared === undefined ? makeCluster(draft) : copyCluster(prepared, draft),
      )
    }
    const reopen = () => openCluster(directory)
    return databaseOf(await reopen(), { directory, reopen, release })
  } catch (error) {
    release()
    throw storageError(directory, error) ?? error
  }
}

async function openInMemory(): Promise<Database> {
  const prepared = await preparedCluster(makeCluster)
  const start =
    prepared === undefined ? clusterSettings : { loadDataDir: await openAsBlob(prepared.tar) }
  return databaseOf(await Engine.start({ parsers, ...start }), {
    directory: undefined,
    release: () => {},
  })
}

/**
 * PostgreSQL inside this process (PGlite). With a directory, a committed transaction survives the
 * process, however it ends: the log is passed to the operating system at commit.
 *
 * @param mustExist whether to reject a directory without a database instead of creating one
 * @throws StoreError `in-use`, `not-found`, `damaged`, `unavailable` (the directory is not
 * writable)
 */
export const openEmbedded = (dataDir: string | undefined, mustExist = false): Promise<Database> =>
  dataDir === undefined ? openInMemory() : openOnDisk(dataDir, mustExist)
