import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { besideOf } from 'polgate-lib/files/generations.ts'

/** Paths within a data directory. */
export type DataPlace = {
  /** Directory of the embedded database. */
  readonly storeDirectory: string
  readonly chainState: string
  /** The previous generation of the state. */
  readonly previousChainState: string
  readonly deployment: string
}

/**
 * A local stack stores its database in a subdirectory next to its chain; a service on an external
 * chain has nothing but the database in its directory.
 */
export const dataLocation = (dataDir: string, ofStack: boolean): DataPlace => ({
  storeDirectory: ofStack ? join(dataDir, 'store') : dataDir,
  chainState: join(dataDir, 'chain.json'),
  previousChainState: besideOf(join(dataDir, 'chain.json'), 'previous'),
  deployment: join(dataDir, 'deployment.json'),
})

/** Whether a directory belongs, or belonged, to a local stack. */
export const isOfStack = (dataDir: string): boolean =>
  existsSync(join(dataDir, 'store')) || existsSync(join(dataDir, 'deployment.json'))
