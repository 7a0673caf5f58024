import type { Client } from 'viem'
import { getBlock, readContract } from 'viem/actions'
import { contractErrorOf } from '../chain/contractErrorOf.ts'
import { InvalidOptionsError } from '../errors/accessErrors.ts'
import { identityRegistryAbi } from '../generated/contractAbis.ts'
import type { Hex } from '../hex.ts'
import { checkAddress, checkDomain } from './checks.ts'

/** Whose identity the policy of a client reads for which of its users. */
export type IdentityLink = {
  readonly identityRegistry: Hex
  readonly identityOwner: Hex
  readonly policyClient: Hex
  /** Who signs the intents. */
  readonly clientUser: Hex
  /** 1 to 50, 32 bytes each. */
  readonly identityDomains: readonly Hex[]
}

/** At most as many in one call. */
const most = 50

/** The link alone, of options that contain it. @throws InvalidOptionsError */
export function checkedLink(options: IdentityLink): IdentityLink {
  const { identityRegistry, identityOwner, policyClient, clientUser } = options
  const parties = { identityRegistry, identityOwner, policyClient, clientUser }
  for (const [name, party] of Object.entries(parties)) checkAddress(name, party)
  return { ...parties, identityDomains: checkDomains(options.identityDomains) }
}

/** @throws InvalidOptionsError */
export function checkDomains(domains: readonly Hex[]): readonly Hex[] {
  if (domains.length === 0 || domains.length > most)
    throw new InvalidOptionsError(
      `There are ${domains.length} identity domains.`,
      `Pass 1 to ${most} of them in one call.`,
    )
  domains.forEach((domain, at) => void checkDomain(`identityDomains[${at}]`, domain))
  return domains
}

export const linkLines = ({ identityOwner, policyClient, clientUser }: IdentityLink) => [
  `Identity owner: ${identityOwner}`,
  `Policy client: ${policyClient}`,
  `User: ${clientUser}`,
]

/** How long a signature is valid by default, seconds. */
const validSeconds = 3_600

/** The time of the chain and an hour. @throws ContractError */
export async function defaultDeadline(reader: Client): Promise<number> {
  const { timestamp } = await getBlock(reader).catch((error: unknown) => {
    throw contractErrorOf(error, {})
  })
  return Number(timestamp) + validSeconds
}

/** @throws ContractError for an address that is no registry */
export const linkNonceOf = (reader: Client, address: Hex, signer: Hex): Promise<bigint> =>
  readContract(reader, {
    ...{ address, abi: identityRegistryAbi, functionName: 'linkNonces', args: [signer] },
  }).catch((error: unknown) => {
    throw contractErrorOf(error, { metaMessages: [`Identity registry: ${address}`] })
  })

/** The typed data that identity owner and user sign, each with the nonce of its own. */
export const linkTypedData = (
  { identityRegistry, ...link }: IdentityLink,
  { chainId, nonce, deadline }: { chainId: number; nonce: bigint; deadline: number },
) => ({
  domain: {
    name: 'IdentityRegistry',
    version: '1',
    chainId,
    verifyingContract: identityRegistry,
  },
  types: {
    LinkIdentity: [
      { name: 'identityOwner', type: 'address' },
      { name: 'policyClient', type: 'address' },
      { name: 'clientUser', type: 'address' },
      { name: 'identityDomains', type: 'bytes32[]' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'LinkIdentity' as const,
  message: { ...link, nonce, deadline: BigInt(deadline) },
})
