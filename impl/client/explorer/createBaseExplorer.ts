import { brandOf, type ClientBrand } from '../client/brand.ts'
import { type Connection, type ConnectionOptions, connect } from '../client/connection.ts'
import type { ExplorerNetwork } from '../generated/explorerTypes.ts'
import { createExplorerRequest, type ExplorerRequest } from './createExplorerRequest.ts'

export type ExplorerOptions = ConnectionOptions & {
  /** As for the service client: the header that names the network follows it. */
  readonly brand?: string | Partial<ClientBrand> | undefined
  /** Default `testnet`. */
  readonly network?: ExplorerNetwork | undefined
}

/** What every action of the explorer takes as its first argument. */
export type BaseExplorer = Connection & {
  readonly brand: ClientBrand
  readonly network: ExplorerNetwork | undefined
  readonly request: ExplorerRequest
}

/**
 * An explorer client without methods, for programs that are bundled; `createExplorerClient` has all
 * methods.
 *
 * @throws InvalidOptionsError
 */
export function createBaseExplorer(options: ExplorerOptions): BaseExplorer {
  const connection = connect(options)
  const brand = brandOf(options.brand)
  const { network } = options
  return {
    ...connection,
    brand,
    network,
    request: createExplorerRequest(connection, brand, network),
  }
}
