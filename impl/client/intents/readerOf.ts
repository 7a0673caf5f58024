import { type Client, createClient, http } from 'viem'
import type { BaseClient } from '../client/createBaseClient.ts'
import { InvalidOptionsError } from '../errors/accessErrors.ts'

/** Any client of viem that can read the chain: a public client, a wallet client, a bare one. */
export type ChainReader = Pick<Client, 'request'>

/** The given client, else one for the first RPC URL of the client's chain. @throws InvalidOptionsError */
export function readerOf(
  client: Pick<BaseClient, 'chain'>,
  reader: ChainReader | undefined,
): Client {
  if (reader !== undefined) return reader as Client
  const url = client.chain?.rpcUrls?.default.http[0]
  if (url !== undefined) return createClient({ transport: http(url) })
  throw new InvalidOptionsError(
    'There is no connection to the chain.',
    'Pass a chain with rpcUrls to the client, or publicClient to the action.',
  )
}
