import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { besideOf } from 'polgate-lib/files/generations.ts'

/** Where in a data directory things are. */
export type DataPlace = {
  /** What the embedded database is opened with. */
  readonly storeDirectory: string
  readonly chainState: string
  /** The generation before it. */
  readonly previousChainState: string
  readonly deployment: string
}

/**
 * A local stack keeps its database in a folder beside its chain; a service that runs on a chain of
 * others has nothing else in its directory.
 */
export const dataPlace = (dataDir: string, ofStack: boolean): DataPlace => ({
  storeDirectory: ofStack ? join(dataDir, 'store') : dataDir,
  chainState: join(dataDir, 'chain.json'),
  previousChainState: besideOf(join(dataDir, 'chain.json'), 'previous'),
  deployment: join(dataDir, 'deployment.json'),
})

/** Whether a directory is, or was, that of a local stack. */
export const isOfStack = (dataDir: string): boolean =>
  existsSync(join(dataDir, 'store')) || existsSync(join(dataDir, 'deployment.json'))
