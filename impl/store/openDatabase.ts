import type { Database } from './database.ts'
import { openEmbedded } from './embedded.ts'
import { openServer } from './server.ts'

/** Where a database is; in memory when neither is given. */
export type DatabasePlace = {
  /** Directory of the embedded database. */
  readonly dataDir?: string | undefined
  /** Connection string of a PostgreSQL server, instead of the embedded one. */
  readonly url?: string | undefined
}

/**
 * Opens a database as it is: no migration is applied.
 *
 * @param options.mustExist whether a directory without a database is refused instead of given one
 * @throws StoreError `in-use` (another process writes the directory), `unavailable`, `not-found`
 */
export const openDatabase = (
  { dataDir, url }: DatabasePlace,
  { mustExist = false }: { readonly mustExist?: boolean } = {},
): Promise<Database> => (url === undefined ? openEmbedded(dataDir, mustExist) : openServer(url))
