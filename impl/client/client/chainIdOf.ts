import { InvalidOptionsError } from '../errors/accessErrors.ts'
import type { BaseClient } from './createBaseClient.ts'

/** The chain id of an action: its own, else that of the client. @throws InvalidOptionsError */
export function chainIdOf(client: Pick<BaseClient, 'chain'>, own?: number): number {
  const id = own ?? client.chain?.id
  if (id !== undefined) return id
  throw new InvalidOptionsError(
    'The chain is not known.',
    'Pass chain: { id } to the client, or chainId to the action.',
  )
}
