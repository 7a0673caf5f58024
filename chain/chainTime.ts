import { type PublicClient, zeroAddress } from 'viem'
import { readContract } from './readContract.ts'

/**
 * Unix seconds by the chain's clock: the timestamp of the latest block, or that of the block under
 * way where the node tells it and it is later. A chain that makes blocks on demand may have made its
 * last one long ago, and judges the next transaction by the time of the next block.
 *
 * @throws ChainReadError
 */
export function readChainTime(client: PublicClient): Promise<number> {
  const timeOf = async (blockTag: 'latest' | 'pending') =>
    Number((await client.getBlock({ blockTag })).timestamp)
  return readContract(zeroAddress, async () => {
    // Not every node has a block under way.
    const underWay = timeOf('pending').catch(() => 0)
    return Math.max(await timeOf('latest'), await underWay)
  })
}
