import type { Database } from './database.ts'
import { openEmbedded } from './embedded.ts'
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
}

/**
 * Opens a database without applying migrations.
 *
 * @param options.mustExist whether to reject a directory without a database instead of creating one
 * @throws StoreError `in-use` (another process writes the directory), `unavailable`, `not-found`
 */
export function openDatabase(
  { dataDir, url, ownThread = false }: DatabaseLocation,
  { mustExist = false }: { readonly mustExist?: boolean } = {},
): Promise<Database> {
  if (url !== undefined) return openServer(url)
  return ownThread && !mustExist ? openInThread(dataDir) : openEmbedded(dataDir, mustExist)
}
