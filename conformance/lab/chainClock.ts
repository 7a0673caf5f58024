import { toHex } from 'viem'
import type { CheckContext } from '../runner/context.ts'
import { devNode } from './contract.ts'

/** Unix seconds of the latest block, by which contracts judge. */
export const latestBlockTime = async (t: CheckContext): Promise<number> =>
  Number((await t.chain().getBlock({ blockTag: 'latest' })).timestamp)

/** The same, or of the block under way where the node tells it: a development chain may be idle. */
export const chainTime = async (t: CheckContext): Promise<number> => {
  const latest = await latestBlockTime(t)
  const underWay = await t
    .chain()
    .getBlock({ blockTag: 'pending' })
    .then(
      ({ timestamp }) => Number(timestamp),
      () => 0,
    )
  return Math.max(latest, underWay)
}

/**
 * Runs something while a development chain is that many seconds ahead of its time. Its clock is set
 * back afterwards, by a node that can.
 */
export const withChainAhead = async (
  t: CheckContext,
  seconds: number,
  run: () => Promise<void>,
): Promise<void> => {
  const begin = performance.now()
  const before = await chainTime(t)
  await devNode(t, 'evm_increaseTime', [toHex(seconds)])
  await devNode(t, 'evm_mine', [])
  try {
    await run()
  } finally {
    const now = before + Math.ceil((performance.now() - begin) / 1000)
    await devNode(t, 'evm_setTime', [toHex(now)])
      .then(() => devNode(t, 'evm_mine', []))
      .catch((error: Error) => t.observe(`the clock of the chain stays ahead: ${error.message}`))
  }
}
