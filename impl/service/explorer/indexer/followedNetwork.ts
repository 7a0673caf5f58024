import type { Address } from 'polgate-protocol/scalars.ts'

/** A chain to follow: see `explorer.networks` of the configuration. */
export type FollowedNetwork = {
  readonly chainId: number
  readonly taskManager: Address
  readonly policyFactory: Address
  readonly startBlock: number
  /** Blocks asked for at once, at most. */
  readonly batchBlocks: number
  /** Milliseconds between two looks for a new block. */
  readonly pollMs: number
}
