import type { TransactionReceipt } from 'viem'
import { type SendingOptions, sendCall } from '../chain/sendCall.ts'
import { identityRegistryAbi } from '../generated/contractAbis.ts'
import type { Hex } from '../hex.ts'
import { checkAddress } from './checks.ts'
import { checkDomains } from './identityLink.ts'

/** The account of `walletClient` is the identity owner of each link, or the user. */
export type RevokeIdentityLinksOptions = SendingOptions & {
  readonly identityRegistry: Hex
  readonly policyClient: Hex
  readonly clientUser: Hex
  /** 1 to 50, 32 bytes each. */
  readonly identityDomains: readonly Hex[]
}

/**
 * Revokes links, at once for all of their domains. Operators open the data for no task from the block on in which this is
 * mined, and signatures made before it link nothing any more.
 *
 * @throws InvalidOptionsError; ContractError, with the custom error
 */
export async function revokeIdentityLinks(
  options: RevokeIdentityLinksOptions,
): Promise<TransactionReceipt> {
  const policyClient = checkAddress('policyClient', options.policyClient)
  const clientUser = checkAddress('clientUser', options.clientUser)
  const domains = checkDomains(options.identityDomains)
  return await sendCall(
    options,
    {
      ...{ address: options.identityRegistry, abi: identityRegistryAbi },
      ...{ functionName: 'revokeLinks', args: [policyClient, clientUser, domains] },
    },
    [`Policy client: ${policyClient}`, `User: ${clientUser}`],
  )
}
