import type { PublicClient } from 'viem'

/** A client of a chain that tells of every block it comes to know, once each in a row. */
export const seenBlocks = (client: PublicClient, saw: (block: number) => void): PublicClient => {
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
    waitForTransactionReceipt: async (
      options: Parameters<PublicClient['waitForTransactionReceipt']>[0],
    ) => {
      const receipt = await base.waitForTransactionReceipt(options)
      tell(receipt.blockNumber)
      return receipt
    },
  })) as PublicClient
}
