import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import { newestBlock } from 'polgate-service/store/newestBlock.ts'
import type { Store } from 'polgate-service/store/openStore.ts'

/**
 * A stack that is killed loses the blocks since the last write of its chain, to which its database
 * refers: the task manager would reject the results of these tasks until as many blocks are mined.
 * Mines empty blocks in their place. The service posts lost results again when it starts.
 *
 * @param warn receives a sentence about what is lost
 * @throws ChainControlError
 */
export async function replaceLostBlocks(
  chain: { readonly url: string; readonly chainId: number },
  { database }: Pick<Store, 'database'>,
  warn: (line: string) => void,
): Promise<void> {
  const newest = (await newestBlock(database, chain.chainId)) ?? 0
  const head = Number(await chainRpc(chain.url, 'eth_blockNumber'))
  const lost = newest - head
  if (lost <= 0) return
  await chainRpc(chain.url, 'anvil_mine', [`0x${lost.toString(16)}`])
  warn(
    `Chain ${chain.chainId} ended at block ${head}, but its database refers to block ${newest}: the stack ended before the last blocks were written. Empty blocks replace these, and results that were posted in them are posted again. Their other transactions are lost, such as deployed contracts and changed policies: send those again.`,
  )
}
