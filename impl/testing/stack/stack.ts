import type { Brand } from 'polgate-protocol/brand.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { DeployedPolicy, StackConnection, StackContracts } from './controlWire.ts'
import type { OracleMocks } from './oracleMocks.ts'
import type { PolicyToDeploy } from './policyDeployment.ts'
import type { StackAccount } from './stackAccount.ts'
import type { StackClients } from './stackClients.ts'
import type { StackClock } from './stackClock.ts'

export type StackAccounts = {
  /** Deploys contracts and owns the policy clients, and the keys except `stranger`. */
  readonly owner: StackAccount
  readonly sender: StackAccount
  readonly recipient: { readonly address: Address }
  /** Registered on the confidential-data registry. */
  readonly provider: StackAccount
  /** Owns nothing but the key `stranger`. */
  readonly stranger: StackAccount
}

/** API keys by permission (section 5.1). */
export type StackKeys = Readonly<Required<StackDescription['apiKeys']>>

/** A state of a stack to which it can be set back, any number of times. */
export type StackSnapshot = {
  readonly id: string
  /** Drops all later snapshots. Calls under way fail. @throws TestingError `stack` if it was dropped */
  restore(): Promise<void>
  /** Restores it for the last time. */
  restoreAndDrop(): Promise<void>
  drop(): Promise<void>
}

/** A running service with its chain, contracts, operators and sample policies. */
export type Stack = StackClients & {
  /** Without a path; the JSON-RPC endpoint is `{gatewayUrl}/rpc`. */
  readonly gatewayUrl: string
  /** Without `/v1` (section 4.12). */
  readonly explorerUrl: string
  /** Metrics and readiness. */
  readonly adminUrl: string
  readonly brand: Brand
  readonly chain: { readonly rpcUrl: string; readonly chainId: number }
  readonly keys: StackKeys
  readonly contracts: StackContracts
  readonly accounts: StackAccounts
  readonly operators: StackDescription['operators']
  /** Sample policy clients by the name of their fixture, such as `allow-list` and `cap`. */
  readonly clients: StackDescription['clients']
  readonly clock: StackClock
  readonly oracles: OracleMocks
  /** Deploys a policy of yours with a client of its own, owned by `accounts.owner`. */
  deployPolicy(policy: PolicyToDeploy): Promise<DeployedPolicy>
  /** A new account with ether, by default 100. */
  createAccount(options?: { readonly balance?: bigint }): Promise<StackAccount>
  /** Sets the ether of an account or a policy client, in wei. */
  setBalance(address: Address, wei: bigint): Promise<void>
  /** A new API key. @returns the key */
  createKey(options: {
    readonly permissions: readonly ('rpc_read' | 'rpc_write' | 'rpc' | 'admin')[]
    /** Addresses whose policy clients it may change. Default: the owner's. */
    readonly owners?: readonly Address[]
    readonly expiresAt?: Date
  }): Promise<string>
  /**
   * The state now: chain, tasks, keys, secrets, webhooks, explorer. Restoring it restarts the
   * service at the same addresses, sets its clock to real time, lets all operators run and removes
   * the mocks.
   */
  snapshot(): Promise<StackSnapshot>
  /** Back to the state in which it started. Drops all snapshots. */
  reset(): Promise<void>
  /** What another process passes to `connectStack`; plain JSON. */
  readonly connection: StackConnection
  /** Ends the stack, where this process has started it. Idempotent. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
