import { type Address, type Hex, type PublicClient, parseAbi } from 'viem'
import { ChainReadError } from './errors.ts'
import { readContract } from './readContract.ts'

const erc1271Abi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
])

/** What ERC-1271 has a contract answer to a signature that is its own. */
const magicValue = '0x1626ba7e'

/**
 * Whether a contract takes a signature for its own (ERC-1271). An account without code takes none.
 *
 * @throws ChainReadError when the node does not answer.
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
