import { existsSync, openAsBlob } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { type Database, type Row, StatementError, type Transaction } from './database.ts'
import { lockDirectory } from './directoryLock.ts'
import { migrate } from './migrate.ts'
import { clusterSettings, copyCluster, placeCluster, preparedCluster } from './preparedCluster.ts'
import { StoreError } from './storeError.ts'

type Connection = Pick<PGlite, 'query' | 'exec'>

const parsers = { [types.INT8]: (text: string) => Number(text) }

const queriesOf = (connection: Connection): Transaction => ({
  async query<T extends Row>(sql: string, params: readonly unknown[] = []) {
    try {
      return (await connection.query<T>(sql, [...params])).rows
    } catch (error) {
      throw new StatementError(error)
    }
  },
  async execute(script) {
    await connection.exec(script)
  },
})

const databaseOf = (lite: PGlite, release: () => void): Database => ({
  engine: 'embedded',
  ...queriesOf(lite),
  transaction: (work) => lite.transaction((tx) => work(queriesOf(tx as Connection))),
  async close() {
    try {
      if (!lite.closed) await lite.close()
    } finally {
      release()
    }
  },
})

const makeCluster = async (directory: string): Promise<Uint8Array> => {
  const lite = await PGlite.create({ dataDir: directory, ...clusterSettings })
  await migrate(databaseOf(lite, () => {}))
  // Closed and opened again: the copy starts from a clean shutdown, without recovery.
  await lite.close()
  const again = await PGlite.create({ dataDir: directory })
  const tar = await again.dumpDataDir('none')
  await again.close()
  return new Uint8Array(await tar.arrayBuffer())
}

/** Removes what a killed process left of a copy. Called under the lock. */
const removeDrafts = async (directory: string): Promise<void> => {
  for (const name of await readdir(directory))
    if (name.startsWith('cluster.'))
      await rm(join(directory, name), { recursive: true, force: true })
}

const openOnDisk = async (directory: string, mustExist: boolean): Promise<Database> => {
  if (mustExist && !existsSync(join(directory, 'cluster')))
    throw new StoreError(`There is no database in ${directory}`, {
      reason: 'not-found',
      hint: 'Give the directory that a service was started with.',
    })
  await mkdir(directory, { recursive: true })
  const release = lockDirectory(directory)
  try {
    await removeDrafts(directory)
    const dataDir = join(directory, 'cluster')
    if (!(await readdir(directory)).includes('cluster')) {
      const prepared = await preparedCluster(makeCluster)
      await placeCluster(dataDir, (draft) =>
        prepared === undefined ? makeCluster(draft) : copyCluster(prepared, draft),
      )
    }
    return databaseOf(await PGlite.create({ dataDir, parsers }), release)
  } catch (error) {
    release()
    throw error
  }
}

const openInMemory = async (): Promise<Database> => {
  const prepared = await preparedCluster(makeCluster)
  const start =
    prepared === undefined ? clusterSettings : { loadDataDir: await openAsBlob(prepared.tar) }
  return databaseOf(await PGlite.create({ parsers, ...start }), () => {})
}

/**
 * PostgreSQL inside this process (PGlite). With a directory, what a transaction has committed
 * survives the process, however it ends: the log is handed to the operating system at commit.
 *
 * @param mustExist whether a directory without a database is refused instead of given one
 * @throws StoreError `in-use`, `not-found`
 */
export const openEmbedded = (dataDir: string | undefined, mustExist = false): Promise<Database> =>
  dataDir === undefined ? openInMemory() : openOnDisk(dataDir, mustExist)
