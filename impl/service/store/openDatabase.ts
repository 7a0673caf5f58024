import { availableParallelism } from 'node:os'
import type { Database } from './database.ts'
import { openEmbedded } from './embedded.ts'
import { refuseHalfLoaded } from './halfLoaded.ts'
import { openServer } from './server.ts'
import { openInThread } from './threadedDatabase.ts'

/** Location of a database; in memory when neither is given. */
export type DatabaseLocation = {
  /** Directory of the embedded database. */
  readonly dataDir?: string | undefined
  /** Connection string of a PostgreSQL server, instead of the embedded one. */
  readonly url?: string | undefined
  /** Runs the embedded database in a separate thread, for a process with much other work. */
  readonly ownThread?: boolean | undefined
  /** Of the directory; default `durable`. */
  readonly durability?: 'durable' | 'relaxed' | undefined
}

/**
 * Whether the embedded database of a service has its own thread: on machines with several cores, and where it
 * syncs, which must not hold up the thread of the gateway.
 */
export const worksInThread = ({ dataDir, durability }: DatabaseLocation): boolean =>
  availableParallelism() > 1 || (dataDir !== undefined && durability !== 'relaxed')

/**
 * Opens a database without applying migrations.
 *
 * @param options.mustExist whether to reject a directory without a database instead of creating one
 * @throws StoreError `in-use` (another process writes the directory), `unavailable`, `not-found`
 */
export async function openDatabase(
  { dataDir, url, ownThread = false, durability }: DatabaseLocation,
  { mustExist = false }: { readonly mustExist?: boolean } = {},
): Promise<Database> {
  if (url !== undefined) return openServer(url)
  if (dataDir !== undefined) refuseHalfLoaded(dataDir)
  return ownThread && !mustExist
    ? openInThread(dataDir, durability)
    : openEmbedded(dataDir, { mustExist, durability })
}
