import { setTimeout as pause } from 'node:timers/promises'
import { ChainReadError } from 'polgate-chain/errors.ts'
import { isRefusalOfNode } from 'polgate-chain/reads.ts'

/** How long to wait for a block that the node does not have yet, milliseconds. */
const lagMs = 3_000
const againMs = 200

/**
 * Reads the chain at a block that the node may not have: another node behind the same address
 * reported it, or a reorg removed it.
 *
 * @throws ChainReadError; a specific one if the block does not appear in time
 */
export async function readWhenKnown<T>(
  chain: { latestBlock(): Promise<number> },
  block: number,
  read: () => Promise<T>,
): Promise<T> {
  let known = false
  for (let waited = 0; ; waited += againMs) {
    try {
      return await read()
    } catch (error) {
      if (!isRefusalOfNode(error)) throw error
      const latest = await chain.latestBlock()
      if (latest >= block) {
        // The block may have appeared between the two requests: read once more.
        if (known) throw error
        known = true
        continue
      }
      if (waited >= lagMs) {
        throw new ChainReadError(
          'unreachable',
          `the node has no block ${block}, the task's reference block; its latest is ${latest}`,
          {
            hint: 'The chain was reorganized, or the node is behind: send the task again.',
            cause: error,
          },
        )
      }
      await pause(againMs)
    }
  }
}
