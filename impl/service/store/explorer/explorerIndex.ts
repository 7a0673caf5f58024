import type { Address } from 'polgate-protocol/scalars.ts'
import type { ChainEvent, IndexedBlock } from './chainEvent.ts'

/** What the indexer writes. One process writes a chain at a time: the holder of its lease. */
export type ExplorerIndex = {
  /** The first block that has not been read; undefined before the first. */
  nextBlock(chainId: number): Promise<number | undefined>
  /** Blocks whose hash is known, newest first, below `before` where it is given. */
  knownBlocks(
    chainId: number,
    options: { readonly limit: number; readonly before?: number | undefined },
  ): Promise<readonly IndexedBlock[]>
  /**
   * Takes in all events of the blocks from `from` to `to`, whole blocks, in one transaction.
   *
   * @param blocks those of the events, and `to` at least
   * @returns false, and nothing has changed, when `from` is not the next block: it was read before
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
  /** Takes back what was read from this block on (decision X5); it is the next block then. */
  takeBack(chainId: number, fromBlock: number): Promise<void>
  /**
   * Takes in what gateways have recorded and the explorer has not seen: ends of tasks that never
   * reach the chain, errors of operators (decision X4). Call it again while it returns `limit`.
   */
  absorbRecords(chainId: number, limit: number): Promise<number>
  /** Policies whose contents have not been looked at, or are due again, oldest first. */
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

/** `again`: the contents could not be had; to be tried again then. */
export type PolicyDescription =
  | {
      readonly name: string | null
      readonly version: string | null
      readonly author: string | null
      readonly description: string | null
      readonly verified: boolean | null
    }
  | { readonly again: Date }
