import type { Contents } from 'polgate-fixtures/contents.ts'
import type { HostNames } from 'polgate-fixtures/hostNames.ts'
import type { Brand } from 'polgate-protocol/brand.ts'
import { CannotRun } from '../core/conformanceError.ts'
import type { Environment } from './environment.ts'
import type { PreparedTarget } from './target.ts'

/**
 * Services that the suite can start on this machine. The command line provides them: the suite
 * itself depends on no service.
 */
export type LocalServices = {
  /** Starts the whole service; `close` ends all its processes. */
  readonly localTarget: (options: {
    readonly progress?: (step: string) => void
    readonly storeThread?: boolean
    readonly signal?: AbortSignal | undefined
  }) => Promise<PreparedTarget>
  /** Starts the environment of a gateway under test: chain, contracts, contents, oracle data. */
  readonly localEnvironment: (options: {
    readonly brand: Brand
    readonly progress?: (step: string) => void
    readonly signal?: AbortSignal | undefined
  }) => Promise<Environment>
  /** The contents of the fixtures with the names of a service, built if necessary. */
  readonly localContents: (
    note: (text: string) => void,
    names: HostNames,
  ) => Promise<{
    readonly contents: Contents
    readonly ipfs: (request: Request) => Promise<Response>
  }>
}

/** Loads the local services on demand: a run against a remote gateway needs none. */
export type LoadLocalServices = () => Promise<LocalServices>

/** @throws CannotRun if this installation has none */
export async function loadLocalServices(
  load: LoadLocalServices | undefined,
): Promise<LocalServices> {
  if (load !== undefined) return load()
  throw new CannotRun(
    'this installation has no local stack',
    'Test a remote gateway with --target URL, or install the package of the local stack.',
  )
}
