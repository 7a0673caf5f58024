import type { Clock } from 'polgate-protocol/clock.ts'
import type {
  ExplorerPage,
  ExplorerPolicy,
  ExplorerStats,
  TaskDetail,
  TaskSummary,
} from 'polgate-protocol/explorer.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { Database } from '../database.ts'
import { absorbRecords } from './absorbRecords.ts'
import { append } from './append.ts'
import { knownBlocks } from './blocks.ts'
import type { ChainEvent, IndexedBlock } from './chainEvent.ts'
import { nextBlock } from './cursor.ts'
import { policyDescriptions, policyQueries } from './policies.ts'
import { statsQuery } from './stats.ts'
import { takeBack } from './takeBack.ts'
import { explorerTaskQueries } from './taskQueries.ts'

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

/** A page as it is asked for; `asOf`: as the list was when it had so many rows. */
export type PageOptions = {
  readonly page: number
  readonly size: number
  readonly asOf?: number | undefined
}

/** Rows without the network's name, which the index does not know: it has chains. */
export type Unnamed<T> = Omit<T, 'network'>

/** What the explorer API reads. Ids and addresses are hex of any case, of the right length. */
export type ExplorerQueries = {
  task(chainId: number, id: string): Promise<Unnamed<TaskDetail> | undefined>
  tasks(chainId: number, page: PageOptions): Promise<ExplorerPage<Unnamed<TaskSummary>>>
  tasksOfPolicyId(
    chainId: number,
    policyId: string,
    page: PageOptions,
  ): Promise<ExplorerPage<Unnamed<TaskSummary>>>
  tasksOfPolicyAddress(
    chainId: number,
    address: string,
    page: PageOptions,
  ): Promise<ExplorerPage<Unnamed<TaskSummary>>>
  policy(chainId: number, address: string): Promise<Unnamed<ExplorerPolicy> | undefined>
  policies(chainId: number, page: PageOptions): Promise<ExplorerPage<Unnamed<ExplorerPolicy>>>
  /** Both ends of a window belong to it; one that is absent is open. */
  stats(chainId: number, windows: StatsWindows): Promise<ExplorerStats>
}

export type StatsWindows = {
  readonly tasks: { readonly start: Date; readonly end?: Date | undefined }
  readonly policies: { readonly start?: Date | undefined; readonly end?: Date | undefined }
}

export type ExplorerStore = ExplorerIndex & ExplorerQueries

/** The explorer's part of the store: what is shown of each chain (sections 2.9, 2.10 and 4.12). */
export const explorerStore = (database: Database, clock: Clock): ExplorerStore => ({
  nextBlock: (chainId) => nextBlock(database, chainId),
  knownBlocks: (chainId, options) => knownBlocks(database, chainId, options),
  append: append(database, clock),
  takeBack: takeBack(database, clock),
  absorbRecords: absorbRecords(database, clock),
  ...policyDescriptions(database, clock),
  ...explorerTaskQueries(database),
  ...policyQueries(database),
  stats: statsQuery(database),
})
