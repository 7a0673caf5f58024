import type { TransactionReceipt } from 'viem'
import { type SendingOptions, sendCall } from '../chain/sendCall.ts'
import { confidentialDataRegistryAbi } from '../generated/contractAbis.ts'
import type { Hex } from '../hex.ts'
import { checkAddress, checkDomain } from './checks.ts'

/** The account of `walletClient` is the provider. */
export type ConfidentialGrantOptions = SendingOptions & {
  readonly confidentialDataRegistry: Hex
  readonly policyClient: Hex
  /** 32 bytes. */
  readonly domain: Hex
}

/**
 * Lets the policy of a client decide over the provider's data of a domain, its later versions included.
 *
 * @throws InvalidOptionsError; ContractError, with the custom error
 */
export const grantConfidentialData = (options: ConfidentialGrantOptions) =>
  changeGrant('grant', options)

/**
 * Takes a grant back. From then on evaluations that need the data fail: a policy never allows because data is
 * missing.
 *
 * @throws InvalidOptionsError; ContractError, with the custom error
 */
export const revokeConfidentialData = (options: ConfidentialGrantOptions) =>
  changeGrant('revoke', options)

function changeGrant(
  functionName: 'grant' | 'revoke',
  options: ConfidentialGrantOptions,
): Promise<TransactionReceipt> {
  const policyClient = checkAddress('policyClient', options.policyClient)
  const domain = checkDomain('domain', options.domain)
  const { confidentialDataRegistry: address, walletClient } = options
  return sendCall(
    options,
    { address, abi: confidentialDataRegistryAbi, functionName, args: [policyClient, domain] },
    [
      `Provider: ${walletClient.account.address}`,
      `Policy client: ${policyClient}`,
      `Domain: ${domain}`,
    ],
  )
}
