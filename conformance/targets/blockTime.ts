import type { Target } from '../core/target.ts'
import { chainCall } from './chainCall.ts'

/** Blocks after the latest whose times are compared. */
export const comparedBlocks = 4
/** A chain that mines on demand may have been idle for days. */
const longestMs = 30_000

type Fetch = typeof fetch
type Block = { readonly number: string; readonly timestamp: string }

/**
 * Time between blocks of the target's chain, milliseconds, at most 30 seconds: the shortest of the latest ones.
 * A chain that mines at intervals may miss one, but none comes early; where it mines on demand, two come
 * within a second, which is 0. 0, too, where no chain is known or its node does not answer: the checks that
 * need one say so.
 */
export async function probeBlockTime({ chain }: Target, fetch: Fetch): Promise<number> {
  if (chain === undefined) return 0
  const secondsOf = async (tag: string) => {
    const block = await chainCall(fetch, chain.rpcUrl, 'eth_getBlockByNumber', [tag, false])
    const { number, timestamp } = block as Block
    return { number: Number(number), seconds: Number(timestamp) }
  }
  try {
    const latest = await secondsOf('latest')
    const before = Math.min(comparedBlocks, latest.number)
    const earlier = await Promise.all(
      Array.from({ length: before }, (_, at) =>
        secondsOf(`0x${(latest.number - at - 1).toString(16)}`),
      ),
    )
    const times = [latest, ...earlier].map(({ seconds }) => seconds)
    const gaps = times.slice(1).map((seconds, at) => times[at]! - seconds)
    const ms = Math.min(...gaps, longestMs / 1000) * 1000
    return gaps.length > 0 && ms > 0 ? ms : 0
  } catch {
    return 0
  }
}
