import type { Target } from '../core/target.ts'
import { chainCall } from './chainCall.ts'

/** Blocks whose times are compared: timestamps are whole seconds. */
export const comparedBlocks = 4
/** A chain that mines on demand may have been idle for days. */
const longestMs = 30_000

type Fetch = typeof fetch
type Block = { readonly number: bigint; readonly seconds: number }

async function blockAt(fetch: Fetch, url: string, tag: string): Promise<Block> {
  const block = (await chainCall(fetch, url, 'eth_getBlockByNumber', [tag, false])) as {
    readonly number: string
    readonly timestamp: string
  }
  return { number: BigInt(block.number), seconds: Number(block.timestamp) }
}

/**
 * Time between the latest blocks of the target's chain, milliseconds, at most 30 seconds. 0 where no chain is
 * known or its node does not answer: the checks that need one say so.
 */
export async function probeBlockTime({ chain }: Target, fetch: Fetch): Promise<number> {
  if (chain === undefined) return 0
  try {
    const latest = await blockAt(fetch, chain.rpcUrl, 'latest')
    const compared = BigInt(comparedBlocks)
    const from = latest.number > compared ? latest.number - compared : 0n
    const count = Number(latest.number - from)
    if (count === 0) return 0
    const { seconds } = await blockAt(fetch, chain.rpcUrl, `0x${from.toString(16)}`)
    const ms = Math.round(((latest.seconds - seconds) * 1000) / count)
    return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestMs) : 0
  } catch {
    return 0
  }
}
