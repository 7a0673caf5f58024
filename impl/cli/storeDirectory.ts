import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from './commandDefinition.ts'

/**
 * The database directory within a data directory: a subfolder for a local stack, the directory
 * itself for a service.
 *
 * @param mayMake whether to accept a directory without a database
 */
export function storeDirectory(dataDir: string, mayMake: boolean): string {
  const inside = join(dataDir, 'store')
  if (existsSync(inside)) return inside
  if (mayMake || existsSync(join(dataDir, 'cluster'))) return dataDir
  throw new CommandError(`No store found in ${dataDir}`, {
    hint: 'Pass the data directory of the service, or create a key there first.',
  })
}
