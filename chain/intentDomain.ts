import type { Address, PublicClient, TypedDataDomain } from 'viem'
import { sampleClientAbi } from './artifacts/abis.ts'
import { ChainReadError } from './errors.ts'
import { readContract } from './readContract.ts'

/** A signing domain with the four members that intents are signed under. */
export interface IntentDomain extends TypedDataDomain {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly verifyingContract: Address
}

/**
 * The domain that a policy client exposes through EIP-5267, or undefined when it exposes none
 * (section 4.2).
 *
 * @throws ChainReadError when the node does not answer.
 */
export async function readIntentDomain(
  client: PublicClient,
  policyClient: Address,
): Promise<IntentDomain | undefined> {
  try {
    const [, name, version, chainId, verifyingContract] = await readContract(policyClient, () =>
      client.readContract({
        address: policyClient,
        abi: sampleClientAbi,
        functionName: 'eip712Domain',
      }),
    )
    return { name, version, chainId: Number(chainId), verifyingContract }
  } catch (error) {
    if (error instanceof ChainReadError && error.failure !== 'unreachable') return undefined
    throw error
  }
}
