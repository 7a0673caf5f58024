import { createRequest, type Request } from '../rpc/createRequest.ts'
import { brandOf, type ClientBrand } from './brand.ts'
import {
  type Connection,
  type ConnectionOptions,
  checkNumber,
  checkUrl,
  connect,
} from './connection.ts'

/** The chain of the gateway. A `Chain` of viem is one. */
export type ClientChain = {
  readonly id: number
  /** To read contracts, where an action needs that and is given no client of viem. */
  readonly rpcUrls?: { readonly default: { readonly http: readonly string[] } } | undefined
}

export type ClientOptions = ConnectionOptions & {
  /** Prefix of the methods, such as `acme`, or all branded names; default `svc` (decision E13). */
  readonly brand?: string | Partial<ClientBrand> | undefined
  /** Needed to seal, to sign intents and to upload. */
  readonly chain?: ClientChain | undefined
  /** Address of the WebSocket; default: `url` with `ws(s):` and `/ws` (decision W1). */
  readonly socketUrl?: string | undefined
}

/** What every action takes as its first argument. */
export type BaseClient = Connection & {
  readonly brand: ClientBrand
  readonly chain: ClientChain | undefined
  readonly socketUrl: string
  readonly request: Request
}

/**
 * A client without methods, for programs that are bundled: only the imported actions are part of
 * the bundle. `createServiceClient` has all of them as methods.
 *
 * @example const task = await createTask(createBaseClient({ url, key }), { policy_client, intent })
 * @throws InvalidOptionsError
 */
export function createBaseClient(options: ClientOptions): BaseClient {
  const connection = connect(options)
  const brand = brandOf(options.brand)
  const { chain, socketUrl } = options
  if (chain !== undefined) checkNumber('chain.id', chain.id, 0, Number.MAX_SAFE_INTEGER)
  return {
    ...connection,
    brand,
    chain,
    socketUrl:
      socketUrl === undefined
        ? `${connection.url.replace(/^http/, 'ws')}/ws`
        : checkUrl('socketUrl', socketUrl, ['ws:', 'wss:']),
    request: createRequest(connection, brand),
  }
}
