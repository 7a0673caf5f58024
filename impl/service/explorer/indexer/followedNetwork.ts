import type { Address } from 'polgate-protocol/scalars.ts'

/** A chain to follow: see `explorer.networks` of the configuration. */
export type FollowedNetwork = {
  readonly chainId: number
  readonly taskManager: Address
  readonly policyFactory: Address
  readonly startBlock: number
  /** Maximum number of blocks per request. */
  readonly batchBlocks: number
  /** Interval of polls for a new block, milliseconds. */
  readonly pollMs: number
}
