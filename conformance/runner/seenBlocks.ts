import type { PublicClient } from 'viem'

/** A client of a chain that reports every block it sees, consecutive repeats once. */
export function seenBlocks(client: PublicClient, saw: (block: number) => void): PublicClient {
  let last: bigint | undefined
  const tell = (block: bigint | null) => {
    if (block === null || block === last) return
    last = block
    saw(Number(block))
  }
  return client.extend((base) => ({
    getBlockNumber: async (options?: Parameters<PublicClient['getBlockNumber']>[0]) => {
      const block = await base.getBlockNumber(options)
      tell(block)
      return block
    },
    getTransactionReceipt: async (
      options: Parameters<PublicClient['getTransactionReceipt']>[0],
    ) => {
      const receipt = await base.getTransactionReceipt(options)
      tell(receipt.blockNumber)
      return receipt
    },
  })) as PublicClient
}
