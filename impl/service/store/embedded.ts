import { existsSync, openAsBlob } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { types } from '@electric-sql/pglite'
import { makeDirectory } from 'polgate-lib/files/syncTree.ts'
import { type Database, type Durability, rolledBack, type Transaction } from './database.ts'
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
import { SyncCounters } from './syncCounters.ts'

const parsers = { [types.INT8]: (text: string) => Number(text) }

/** Minimum time between two attempts to reopen a database that has stopped, milliseconds. */
const reviveEveryMs = 500

type Served = {
  /** Undefined for a database in memory. */
  readonly directory: string | undefined
  readonly durability: Durability['mode']
  readonly counters?: SyncCounters
  /** Opens the same database again. */
  readonly reopen?: () => Promise<Engine>
  readonly release: () => void
}

function databaseOf(first: Engine, served: Served): Database {
  const { directory, durability, counters, reopen, release } = served
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

  /**
   * Runs `work` alone. Others run while its outcome waits for the disk. So does that of a read, which may
   * have seen what another has committed, and that of an error.
   */
  async function alone<T>(work: (used: Engine) => Promise<T>, waits = true): Promise<T> {
    const used = await current()
    try {
      return await used.alone(() => work(used))
    } finally {
      if (waits) await converted(used, () => used.durable())
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
    durability: { mode: durability, problems: [] },
    ...(counters && { syncs: () => counters.read() }),
    query: (sql, params, options) =>
      alone((used) => queriesOf(used).query(sql, params, options), !options?.unacknowledged),
    execute: (script) => alone((used) => queriesOf(used).execute(script)),
    transaction: (work) => alone((used) => transact(used, work)),
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
  await migrate(databaseOf(lite, { directory, durability: 'relaxed', release: () => {} }))
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
async function openCluster(directory: string, counters: SyncCounters | undefined): Promise<Engine> {
  refuseFullDisk(directory)
  const options = { dataDir: join(directory, 'cluster'), parsers }
  try {
    return await (counters === undefined
      ? Engine.start(options)
      : Engine.startDurable(options, counters))
  } catch (error) {
    // PGlite does not report why it fails to start.
    refuseFullDisk(directory)
    throw (
      storageError(directory, error) ??
      damagedDatabase(directory, 'PostgreSQL fails to start on its files', error)
    )
  }
}

async function openOnDisk(
  directory: string,
  { mustExist = false, durability = 'durable', counters = new SyncCounters() }: EmbeddedOptions,
): Promise<Database> {
  const durable = durability === 'durable'
  if (mustExist && !existsSync(join(directory, 'cluster')))
    throw new StoreError(`There is no database in ${directory}`, {
      code: 'not-found',
      hint: 'Use the data directory of an existing service.',
    })
  let release = () => {}
  try {
    await (durable ? makeDirectory(directory) : mkdir(directory, { recursive: true }))
    release = lockDirectory(directory)
    await removeDrafts(directory)
    if (!(await readdir(directory)).includes('cluster')) {
      refuseFullDisk(directory)
      const prepared = await preparedCluster(makeCluster)
      await placeCluster(
        join(directory, 'cluster'),
        (draft) => (prepared === undefined ? makeCluster(draft) : copyCluster(prepared, draft)),
        { durable },
      )
    }
    const synced = durable ? counters : undefined
    const reopen = () => openCluster(directory, synced)
    return databaseOf(await reopen(), {
      ...{ directory, durability, reopen, release },
      ...(synced && { counters: synced }),
    })
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
    durability: 'memory',
    release: () => {},
  })
}

export type EmbeddedOptions = {
  /** Whether to reject a directory without a database instead of creating one. */
  readonly mustExist?: boolean | undefined
  /** Of a directory; default `durable`. */
  readonly durability?: 'durable' | 'relaxed' | undefined
  /** Counts the syncs. */
  readonly counters?: SyncCounters | undefined
}

/**
 * PostgreSQL inside this process (PGlite). With a directory, a committed transaction survives the
 * process, however it ends; if it is `durable`, also the operating system and the power supply.
 *
 * @throws StoreError `in-use`, `not-found`, `damaged`, `unavailable` (the directory is not
 * writable)
 */
export const openEmbedded = (
  dataDir: string | undefined,
  options: EmbeddedOptions = {},
): Promise<Database> => (dataDir === undefined ? openInMemory() : openOnDisk(dataDir, options))
