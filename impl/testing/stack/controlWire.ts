import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import type { StackDescription } from 'polgate-protocol/stackDescription.ts'
import type { StackSettings } from './stackOptions.ts'

/** Where requests to a mocked host go: the test's own listener on loopback. */
export type MockTarget = {
  /** `http://127.0.0.1:port` */
  readonly origin: string
  /** Proves to the listener that a request comes from the stack. */
  readonly token: string
}

/** Contracts of a stack. */
export type StackContracts = {
  readonly taskManager: Address
  readonly operatorRegistry: Address
  readonly policyFactory: Address
  readonly identityRegistry: Address
  readonly confidentialDataRegistry: Address
  /** An ERC-20 with 18 decimals, which `accounts.owner` and `accounts.sender` hold. */
  readonly token: Address
}

/** What a process needs to use a stack; plain JSON, so that it can be passed to workers. */
export type StackConnection = {
  readonly description: StackDescription
  readonly adminUrl: string
  readonly contracts: StackContracts
  /** Listener of the functions below; loopback, and only with the token. */
  readonly testingUrl: string
  readonly token: string
  /** A snapshot of the state in which the stack started. */
  readonly firstSnapshot: string
}

/** Messages to the process of a stack, and from it. */
export type ToStack =
  | { readonly does: 'start'; readonly settings: Omit<StackSettings, 'progress' | 'warn'> }
  | { readonly does: 'close' }
export type FromStack =
  | { readonly is: 'ready'; readonly connection: StackConnection }
  | { readonly is: 'failed'; readonly error: string }

/** Calls of a test to its stack: path, body and answer. */
export type ControlCalls = {
  '/snapshot': { readonly body: Record<never, never>; readonly answer: { readonly id: string } }
  '/restore': {
    readonly body: { readonly id: string; readonly keep: boolean }
    readonly answer: Record<never, never>
  }
  '/drop': { readonly body: { readonly id: string }; readonly answer: Record<never, never> }
  '/time': { readonly body: Record<never, never>; readonly answer: { readonly now: number } }
  '/advance': { readonly body: { readonly seconds: number }; readonly answer: { now: number } }
  '/mock': {
    readonly body: { readonly host: string; readonly target: MockTarget | null }
    readonly answer: Record<never, never>
  }
  '/refused': { readonly body: Record<never, never>; readonly answer: { hosts: string[] } }
  '/task': { readonly body: { readonly id: string }; readonly answer: { record?: TaskRecord } }
  '/policy': { readonly body: PolicyDeploymentRequest; readonly answer: DeployedPolicy }
}

/** What the operators of a stack did for a task, and what the chain says of it now. */
export type TaskRecord = {
  readonly operators: readonly OperatorRecord[]
  /** Outputs of the oracles that were evaluated, JSON, in order. */
  readonly data: readonly string[]
  /** Parameters of the policy, JSON. */
  readonly params: string
  readonly entrypoint: string
  /** Whether a contract has used up the attestation. */
  readonly spent: boolean
}

export type OperatorRecord = {
  readonly address: Address
  /** The `deny` strings of the policy, sorted; absent if the operator did not sign. */
  readonly reasons?: readonly string[]
  readonly error?: string
}

/** An oracle to deploy. Bytes are base64. */
export type OracleDeploymentRequest = {
  readonly name: string
  readonly component: { readonly kind: 'wasm' | 'wat' | 'js'; readonly base64: string }
  readonly secretsSchema?: unknown
  readonly secrets?: unknown
}

export type PolicyDeploymentRequest = {
  readonly rego: string
  readonly entrypoint: string
  readonly paramsText: string
  readonly paramsSchema?: unknown
  readonly oracles: readonly OracleDeploymentRequest[]
  readonly client: PolicyClientKind
  readonly expireAfter: number
}

/**
 * The sample contract that the policy protects: `sample` exposes its EIP-712 domain
 * (`eip712Domain()`), `withoutDomain` does not, `tokenVault` holds the stack's token.
 */
export type PolicyClientKind = 'sample' | 'withoutDomain' | 'tokenVault'

/** Addresses of a deployed policy, its client and its oracles. */
export type DeployedPolicy = {
  readonly policyClient: Address
  readonly policyAddress: Address
  readonly policyId: Bytes32
  /** In the order of the oracles. */
  readonly policyData: readonly {
    readonly address: Address
    readonly name: string
    readonly wasmCid: string
  }[]
  /** Of the client, for signing intents (section 4.2). */
  readonly domain: { readonly name: string; readonly version: string }
  /** Blocks for which an attestation is valid. */
  readonly expireAfter: number
}
