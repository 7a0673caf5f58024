import { type Static, Type } from '@sinclair/typebox'
import { IntentView } from './intent.ts'
import { PolicyTaskData } from './policyTaskData.ts'
import { Address, BlockNumber, Bytes32, Data, Nullable, Quantity, UnixSeconds } from './scalars.ts'
import { TaskWarning } from './taskWarning.ts'

/** Section 3; the last three are final (decision T5). */
export const TaskStatus = Type.Union(
  [
    Type.Literal('pending'),
    Type.Literal('processing'),
    Type.Literal('success'),
    Type.Literal('failed'),
    Type.Literal('timeout'),
  ],
  { $id: 'TaskStatus' },
)
export type TaskStatus = Static<typeof TaskStatus>

/** The task as posted on chain: camelCase members (section 2.5, decision T13). */
export const TaskView = Type.Object(
  {
    taskId: Bytes32,
    policyClient: Address,
    nonce: Type.Integer({ minimum: 0 }),
    taskCreatedBlock: BlockNumber,
    quorumThresholdPercentage: Type.Integer({ minimum: 0, maximum: 100 }),
    intent: IntentView,
    intentSignature: Data,
    wasmArgs: Data,
    quorumNumbers: Data,
  },
  { $id: 'Task' },
)
export type TaskView = Static<typeof TaskView>

export const PolicyConfigView = Type.Object(
  { policyParams: Data, expireAfter: Type.Integer({ minimum: 0 }) },
  { $id: 'PolicyConfig' },
)
export type PolicyConfigView = Static<typeof PolicyConfigView>

/** The signed response: snake_case outside, camelCase inside (section 2.5, decision T13). */
export const TaskResponseView = Type.Object(
  {
    task_id: Bytes32,
    policy_client: Address,
    policy_id: Bytes32,
    policy_address: Address,
    intent: IntentView,
    intent_signature: Data,
    evaluation_result: Type.Array(Type.Integer({ minimum: 0, maximum: 255 })),
    policy_task_data: PolicyTaskData,
    policy_config: PolicyConfigView,
    signature_data: Type.Optional(Data),
  },
  { $id: 'TaskResponse' },
)
export type TaskResponseView = Static<typeof TaskResponseView>

const G1 = Type.Object({ X: Quantity, Y: Quantity })
const G2 = Type.Object({ X: Type.Tuple([Quantity, Quantity]), Y: Type.Tuple([Quantity, Quantity]) })
const Indices = Type.Array(Type.Integer({ minimum: 0 }))

/** The aggregate, ready for the pairing check (decisions, section 3). */
export const AggregationResponse = Type.Object(
  {
    task_response_digest: Bytes32,
    non_signer_stakes_and_signature: Type.Object({
      nonSignerQuorumBitmapIndices: Indices,
      nonSignerPubkeys: Type.Array(G1),
      quorumApks: Type.Array(G1),
      apkG2: G2,
      sigma: G1,
      quorumApkIndices: Indices,
      totalStakeIndices: Indices,
      nonSignerStakeIndices: Type.Array(Indices),
    }),
  },
  { $id: 'AggregationResponse' },
)
export type AggregationResponse = Static<typeof AggregationResponse>

/** Why an operator did not sign (section 2.5, decision T14). */
export const OperatorError = Type.Object(
  {
    operator_address: Address,
    operator_id: Bytes32,
    error_code: Type.Integer(),
    message: Type.String(),
    timestamp: Type.String({ description: 'ISO 8601, UTC' }),
    retryable: Type.Boolean(),
  },
  { $id: 'OperatorError' },
)
export type OperatorError = Static<typeof OperatorError>

/** The result of `createTask` (section 2.5). */
export const TaskResult = Type.Object(
  {
    task_id: Type.Optional(Bytes32),
    status: TaskStatus,
    aggregation_response: Nullable(AggregationResponse),
    task: Type.Optional(TaskView),
    task_response: Type.Optional(TaskResponseView),
    signature_data: Type.Optional(Data),
    reference_block: Type.Optional(BlockNumber),
    expiration: Type.Optional(BlockNumber),
    validate_calldata: Type.Optional(Data),
    warnings: Type.Optional(Type.Array(TaskWarning)),
    operator_errors: Type.Optional(Type.Array(OperatorError)),
    error: Type.Optional(Nullable(Type.String())),
    timestamp: UnixSeconds,
  },
  { $id: 'TaskResult' },
)
export type TaskResult = Static<typeof TaskResult>
