import type { Address } from 'polgate-protocol/scalars.ts'
import type { ChainEvent, IndexedBlock } from './chainEvent.ts'

/** The writes of the indexer. One process writes a chain at a time: the holder of its lease. */
export type ExplorerIndex = {
  /** The first block that has not been read; undefined before the first. */
  nextBlock(chainId: number): Promise<number | undefined>
  /** Blocks with a known hash, newest first, below `before` if given. */
  knownBlocks(
    chainId: number,
    options: { readonly limit: number; readonly before?: number | undefined },
  ): Promise<readonly IndexedBlock[]>
  /**
   * Stores all events of the blocks from `from` to `to`, whole blocks, in one transaction.
   *
   * @param blocks the blocks of the events, and at least `to`
   * @returns false, without any change, when `from` is not the next block: it was read before
   */
  append(
    chainId: number,
    batch: {
      readonly from: number
      readonly to: number
      readonly blocks: readonly IndexedBlock[]
      readonly events: readonly ChainEvent[]
    },
  ): Promise<boolean>
  /** Rolls back everything from this block on (decision X5); it becomes the next block. */
  rollBack(chainId: number, fromBlock: number): Promise<void>
  /**
   * Reads new records of gateways: ends of tasks that never reach the chain, errors of operators
   * (decision X4). Call it again while it returns `limit`.
   */
  absorbRecords(chainId: number, limit: number): Promise<number>
  /** Policies without a description that are due, oldest first. */
  undescribedPolicies(
    chainId: number,
    limit: number,
  ): Promise<
    readonly {
      readonly address: Address
      readonly info: Readonly<Record<string, unknown>>
      readonly attempts: number
    }[]
  >
  describePolicy(chainId: number, address: Address, description: PolicyDescription): Promise<void>
}

/** `again`: the contents are unavailable; retry at that time. */
export type PolicyDescription =
  | {
      readonly name: string | null
      readonly version: string | null
      readonly author: string | null
      readonly description: string | null
      readonly verified: boolean | null
    }
  | { readonly again: Date }
