import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from './verb.ts'

/**
 * Where the database of a data directory is: a local stack keeps it in a folder, a service has
 * nothing else there.
 *
 * @param mayMake whether a directory without one is to get one
 */
export function storeDirectory(dataDir: string, mayMake: boolean): string {
  const inside = join(dataDir, 'store')
  if (existsSync(inside)) return inside
  if (mayMake || existsSync(join(dataDir, 'cluster'))) return dataDir
  throw new CommandError(`There is no store in ${dataDir}`, {
    hint: 'Give the directory that the service was started with, or create a key there first.',
  })
}
