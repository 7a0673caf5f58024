import type { Database } from './database.ts'
import { openEmbedded } from './embedded.ts'
import { openServer } from './server.ts'
import { openInThread } from './threadedDatabase.ts'

/** Where a database is; in memory when neither is given. */
export type DatabasePlace = {
  /** Directory of the embedded database. */
  readonly dataDir?: string | undefined
  /** Connection string of a PostgreSQL server, instead of the embedded one. */
  readonly url?: string | undefined
  /** The embedded database in a thread of its own: for a process that has much else to do. */
  readonly ownThread?: boolean | undefined
}

/**
 * Opens a database as it is: no migration is applied.
 *
 * @param options.mustExist whether a directory without a database is refused instead of given one
 * @throws StoreError `in-use` (another process writes the directory), `unavailable`, `not-found`
 */
export const openDatabase = (
  { dataDir, url, ownThread = false }: DatabasePlace,
  { mustExist = false }: { readonly mustExist?: boolean } = {},
): Promise<Database> => {
  if (url !== undefined) return openServer(url)
  return ownThread && !mustExist ? openInThread(dataDir) : openEmbedded(dataDir, mustExist)
}
