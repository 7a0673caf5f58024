import { type Address, type Hex, type PublicClient, parseAbi } from 'viem'
import { ChainReadError } from './errors.ts'
import { readContract } from './readContract.ts'

const erc1271Abi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
])

/** Magic value of ERC-1271 for a valid signature. */
const magicValue = '0x1626ba7e'

/**
 * Whether a contract accepts a signature (ERC-1271). An account without code accepts none.
 *
 * @throws ChainReadError if the node does not respond
 */
export async function isContractSignature(
  client: PublicClient,
  { account, digest, signature }: { account: Address; digest: Hex; signature: Hex },
): Promise<boolean> {
  try {
    const answer = await readContract(account, () =>
      client.readContract({
        address: account,
        abi: erc1271Abi,
        functionName: 'isValidSignature',
        args: [digest, signature],
      }),
    )
    return answer === magicValue
  } catch (error) {
    if (error instanceof ChainReadError && error.code !== 'unreachable') return false
    throw error
  }
}
