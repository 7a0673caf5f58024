import { BlockNotFoundError, type Hex, type PublicClient } from 'viem'
import type { IndexedBlock } from '../../store/explorer/chainEvent.ts'

/** A block, what it stands on, and the filter of its logs; some chains have none. */
export type Header = IndexedBlock & {
  readonly parentHash: IndexedBlock['hash']
  readonly logsBloom: Hex | null
}

/** The block of a number, or the latest; undefined when the chain has none such. */
export async function readHeader(
  client: PublicClient,
  at: number | 'latest',
): Promise<Header | undefined> {
  try {
    const block = await client.getBlock(
      at === 'latest' ? { blockTag: at } : { blockNumber: BigInt(at) },
    )
    if (at !== 'latest' && Number(block.number) !== at) return undefined
    return {
      number: Number(block.number),
      hash: lower(block.hash),
      parentHash: lower(block.parentHash),
      timestamp: Number(block.timestamp),
      logsBloom: block.logsBloom ?? null,
    }
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  }
}

const lower = <T extends string>(text: T): T => text.toLowerCase() as T
