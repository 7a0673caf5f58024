import type { Contents } from 'polgate-fixtures/contents.ts'
import type { Brand } from 'polgate-protocol/brand.ts'
import { CannotRun } from '../core/conformanceError.ts'
import type { Environment } from './environment.ts'
import type { PreparedTarget } from './target.ts'

/**
 * What the suite can start on this machine. The command line provides it: the suite itself depends on
 * no service.
 */
export type LocalServices = {
  /** Boots the whole service; `close` ends every process of it. */
  readonly localTarget: (options: {
    readonly progress?: (step: string) => void
    readonly storeThread?: boolean
  }) => Promise<PreparedTarget>
  /** Boots what a gateway under test stands on: chain, contracts, contents, the oracles' outside world. */
  readonly localEnvironment: (options: {
    readonly brand: Brand
    readonly progress?: (step: string) => void
  }) => Promise<Environment>
  /** The contents of the fixtures; what has to be built is built. */
  readonly localContents: (note: (text: string) => void) => Promise<{
    readonly contents: Contents
    readonly ipfs: (request: Request) => Promise<Response>
  }>
}

/** Loads the local services when they are needed: a run against a remote gateway needs none. */
export type LoadLocalServices = () => Promise<LocalServices>

/** @throws CannotRun where this installation has none */
export const loadLocalServices = async (
  load: LoadLocalServices | undefined,
): Promise<LocalServices> => {
  if (load !== undefined) return load()
  throw new CannotRun(
    'this installation has no local stack',
    'Name a remote gateway with --target URL, or install the package of the local stack.',
  )
}
