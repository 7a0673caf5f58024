import { setTimeout as pause } from 'node:timers/promises'
import { ChainReadError } from 'polgate-chain/errors.ts'
import { isRefusalOfNode } from 'polgate-chain/reads.ts'
import type { TaskChain } from './taskChain.ts'

/** How long a block that the node does not know is waited for, milliseconds. */
const lagMs = 3_000
const againMs = 200

/**
 * Reads the chain as of a block that the node may not know: another node behind the same address told
 * of it, or a reorganisation took it back.
 *
 * @throws ChainReadError; where the block does not appear in time, one that says so
 */
export async function readOnceKnown<T>(
  chain: Pick<TaskChain, 'latestBlock'>,
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
        // It may have appeared between the two questions: one more read tells.
        if (known) throw error
        known = true
        continue
      }
      if (waited >= lagMs) {
        throw new ChainReadError(
          'unreachable',
          `the node has no block ${block}, the task's reference block; its latest is ${latest}`,
          {
            hint: 'The chain was reorganised, or the node is behind: send the task again.',
            cause: error,
          },
        )
      }
      await pause(againMs)
    }
  }
}
