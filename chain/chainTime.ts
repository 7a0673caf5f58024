import { type PublicClient, zeroAddress } from 'viem'
import { readContract } from './readContract.ts'

/**
 * Chain time in Unix seconds: the timestamp of the latest block, or of the pending block if the
 * node has one and it is later. A chain that mines on demand may have mined its last block long
 * ago, and validates the next transaction by the time of the next block.
 *
 * @throws ChainReadError
 */
export function readChainTime(client: PublicClient): Promise<number> {
  const timeOf = async (blockTag: 'latest' | 'pending') =>
    Number((await client.getBlock({ blockTag })).timestamp)
  return readContract(zeroAddress, async () => {
    // Not every node has a pending block.
    const underWay = timeOf('pending').catch(() => 0)
    return Math.max(await timeOf('latest'), await underWay)
  })
}
