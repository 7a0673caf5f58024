import { type Static, Type } from '@sinclair/typebox'
import { Address, BlockNumber, Bytes32, Data, Nullable } from './scalars.ts'

/** Types of the explorer API (sections 2.9, 2.10 and 4.12). Hex is lower case in its responses. */

export const networkNames = ['testnet', 'base-sepolia', 'mainnet', 'base'] as const
export const Network = Type.Union([
  Type.Literal('testnet'),
  Type.Literal('base-sepolia'),
  Type.Literal('mainnet'),
  Type.Literal('base'),
])
export type Network = (typeof networkNames)[number]

const Time = Type.String({ format: 'date-time', description: 'ISO 8601, UTC' })

export const ChallengeResult = Type.Union([
  Type.Literal('unchallenged'),
  Type.Literal('success'),
  Type.Literal('unsuccessful'),
])

/** On-chain record of a response (decision C12). */
export const ResponseCertificateView = Type.Object({
  reference_block: BlockNumber,
  expiration_block: BlockNumber,
  responded_block: BlockNumber,
  hash_of_non_signers: Bytes32,
  response_digest: Bytes32,
})

const summary = {
  id: Bytes32,
  network: Network,
  sender_address: Address,
  policy_client_address: Address,
  policy_id: Nullable(Bytes32),
  policy_address: Nullable(Address),
  evaluation_result: Nullable(Data),
  error: Nullable(Type.String()),
  operator_errors: Nullable(Type.Array(Type.Unknown())),
  created_block: Nullable(BlockNumber),
  task_created_at: Nullable(Time),
  task_responded_at: Nullable(Time),
  attestation_spent_at: Nullable(Time),
  task_challenged_at: Nullable(Time),
  challenge_result: Nullable(ChallengeResult),
  task_responded_metadata: Nullable(ResponseCertificateView),
  updated_at: Time,
}
export const TaskSummary = Type.Object(summary, { $id: 'TaskSummary' })
export type TaskSummary = Static<typeof TaskSummary>

const TransactionHash = Nullable(Bytes32)

export const TaskDetail = Type.Object(
  {
    ...summary,
    /**
     * camelCase; `chainId` is a number if it is a safe integer (section 2.2), `value` a quantity
     * (decision T13).
     */
    intent: Type.Record(Type.String(), Type.Unknown()),
    policy_config: Nullable(Type.Record(Type.String(), Type.Unknown())),
    policy_task_data: Nullable(Type.Record(Type.String(), Type.Unknown())),
    created_txn_hash: TransactionHash,
    responded_txn_hash: TransactionHash,
    challenged_txn_hash: TransactionHash,
    spent_txn_hash: TransactionHash,
  },
  { $id: 'TaskDetail' },
)
export type TaskDetail = Static<typeof TaskDetail>

/** Data of the PolicyDeployed event (decision X6). */
export const PolicyInfoView = Type.Object({
  owner: Address,
  metadata_cid: Type.String(),
  policy_cid: Type.String(),
  schema_cid: Type.String(),
  entrypoint: Type.String(),
  policy_data: Type.Array(Address),
  version: Type.String(),
})
export type PolicyInfoView = Static<typeof PolicyInfoView>

export const ExplorerPolicy = Type.Object(
  {
    address: Address,
    network: Network,
    name: Nullable(Type.String()),
    version: Nullable(Type.String()),
    author: Nullable(Type.String()),
    description: Nullable(Type.String()),
    /** Whether the policy source was found and compiles; null until that was checked. */
    verified: Nullable(Type.Boolean()),
    policy_info: Nullable(PolicyInfoView),
    deployed_txn_hash: TransactionHash,
    policy_deployed_at: Nullable(Time),
  },
  { $id: 'Policy' },
)
export type ExplorerPolicy = Static<typeof ExplorerPolicy>

export const ExplorerStats = Type.Object(
  { total_tasks: Type.Integer({ minimum: 0 }), total_policies: Type.Integer({ minimum: 0 }) },
  { $id: 'Stats' },
)
export type ExplorerStats = Static<typeof ExplorerStats>

/** A page of a list; pages start at 1. */
export type ExplorerPage<T> = {
  readonly total: number
  readonly page: number
  readonly size: number
  readonly results: readonly T[]
}

export const explorerPageOf = (item: typeof TaskSummary | typeof ExplorerPolicy) =>
  Type.Object({
    total: Type.Integer({ minimum: 0 }),
    page: Type.Integer({ minimum: 1 }),
    size: Type.Integer({ minimum: 1, maximum: 100 }),
    results: Type.Array(Type.Ref(item)),
  })

/** Exact `detail` of errors (section 7.6). */
export const explorerDetail = {
  invalidNetwork: 'Invalid protocol network header',
  keyRequired: 'API key required (Authorization: Bearer or X-API-Key)',
  keyInvalid: 'invalid or expired API key',
  permission: 'API key missing required permission: rpc_read',
  taskNotFound: 'Task not found.',
  policyNotFound: 'Policy Template not found.',
  keysUnavailable: 'API key validation unavailable',
} as const
