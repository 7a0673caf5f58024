import { BlockNotFoundError, type Hex, type PublicClient } from 'viem'
import type { IndexedBlock } from '../../store/explorer/chainEvent.ts'

/** A block with its parent's hash and the bloom filter of its logs, which some chains lack. */
export type Header = IndexedBlock & {
  readonly parentHash: IndexedBlock['hash']
  readonly logsBloom: Hex | null
}

/** The block with a number, or the latest; undefined when the chain does not have it. */
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
