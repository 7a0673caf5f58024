import { BlockNotFoundError, type PublicClient } from 'viem'
import type { IndexedBlock } from '../../store/explorer/chainEvent.ts'

/** A block and what it stands on. */
export type Header = IndexedBlock & { readonly parentHash: IndexedBlock['hash'] }

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
    }
  } catch (error) {
    if (error instanceof BlockNotFoundError) return undefined
    throw error
  }
}

const lower = <T extends string>(text: T): T => text.toLowerCase() as T
