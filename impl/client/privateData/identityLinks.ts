import { readContract } from 'viem/actions'
import { contractErrorOf } from '../chain/contractErrorOf.ts'
import type { BaseClient } from '../client/createBaseClient.ts'
import { identityRegistryAbi } from '../generated/contractAbis.ts'
import type { Hex } from '../hex.ts'
import { type ChainReader, readerOf } from '../intents/readerOf.ts'
import { checkAddress } from './checks.ts'

export type IdentityLinksOptions = {
  readonly identityRegistry: Hex
  readonly policyClient: Hex
  readonly clientUser: Hex
  /** Default: the first RPC URL of the client's chain. */
  readonly publicClient?: ChainReader | undefined
}

export type LinkedIdentity = {
  readonly identityDomain: Hex
  readonly identityOwner: Hex
  /** The data that is registered now; undefined if there is none. */
  readonly dataRefId: Hex | undefined
}

/**
 * The identities that the policy of a client reads for a user, as the latest block has them.
 *
 * @throws InvalidOptionsError; ContractError if the chain cannot be read
 */
export async function identityLinks(
  client: Pick<BaseClient, 'chain'>,
  { identityRegistry, publicClient, ...parties }: IdentityLinksOptions,
): Promise<readonly LinkedIdentity[]> {
  const policyClient = checkAddress('policyClient', parties.policyClient)
  const clientUser = checkAddress('clientUser', parties.clientUser)
  const read = await readContract(readerOf(client, publicClient), {
    address: identityRegistry,
    abi: identityRegistryAbi,
    functionName: 'linksOf',
    args: [policyClient, clientUser],
  }).catch((error: unknown) => {
    throw contractErrorOf(error, { metaMessages: [`Identity registry: ${identityRegistry}`] })
  })
  return read.map(({ identityDomain, identityOwner, dataRefId }) => ({
    ...{ identityDomain, identityOwner },
    dataRefId: dataRefId === '' ? undefined : (dataRefId as Hex),
  }))
}
