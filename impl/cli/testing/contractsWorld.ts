import type { CompiledContract } from 'polgate-chain/testing/compileContracts.ts'
import type { Chain, PublicClient } from 'viem'

/** A folder with the package of contracts, and what was compiled against it. */
export type ContractsWorld = {
  readonly folder: string
  /** By file and name: `guide/0.sol:Treasury`. */
  readonly compiled: ReadonlyMap<string, CompiledContract>
  readonly chain: Chain
  readonly client: PublicClient
}
