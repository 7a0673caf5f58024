import { toHex } from 'viem'
import type { CheckContext } from '../../core/context.ts'
import { devNode } from '../assertions/contract.ts'

/** Unix seconds of the latest block, the clock of contracts. */
export const latestBlockTime = async (t: CheckContext): Promise<number> =>
  Number((await t.chain().getBlock({ blockTag: 'latest' })).timestamp)

/** The same, or of the pending block if the node reports it: a development chain may be idle. */
export async function chainTime(t: CheckContext): Promise<number> {
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

/** Moves the clock of a development chain permanently: block times never decrease. */
export async function moveChainAhead(t: CheckContext, seconds: number): Promise<void> {
  await devNode(t, 'evm_increaseTime', [toHex(seconds)])
  await devNode(t, 'evm_mine', [])
}
