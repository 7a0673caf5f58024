import type { Task } from 'polgate-chain/types.ts'
import { expiryBlock } from 'polgate-protocol/expiryBlock.ts'
import type { Bytes32, Data, Quantity } from 'polgate-protocol/scalars.ts'
import type { AggregationResponse, TaskResponseView, TaskView } from 'polgate-protocol/task.ts'
import type { TaskWarning } from 'polgate-protocol/taskWarning.ts'
import { toHex } from 'viem'
import type { ReachedAggregation } from '../attestation/aggregate.ts'
import { intentView } from '../intents/intent.ts'
import type { Signed } from './collectSignatures.ts'
import type { NamedResult } from './finishTask.ts'
import type { PreparedTask } from './prepare.ts'

/**
 * The task in the form of the contract; `taskCreatedBlock` is the reference block (decision T9).
 */
export const chainTask = (
  task: PreparedTask,
  place: { readonly taskId: Bytes32; readonly nonce: number; readonly block: number },
): Task => ({
  taskId: place.taskId,
  policyClient: task.policyClient,
  nonce: place.nonce,
  taskCreatedBlock: place.block,
  quorumThresholdPercentage: task.threshold,
  intent: task.parsed,
  intentSignature: task.intentSignature ?? '0x',
  wasmArgs: task.wasmArgs,
  quorumNumbers: task.quorumNumbers,
})

/** The result of a successful task (section 2.5). */
export function successResult(options: {
  readonly task: Task
  readonly signed: Signed
  /** `validate_calldata`, if requested. */
  readonly calldata: Data | undefined
  readonly warnings: readonly TaskWarning[]
  /** Unix seconds. */
  readonly timestamp: number
}): NamedResult {
  const { task, signed, calldata, warnings, timestamp } = options
  const { response, digest, aggregation, errors } = signed
  const { signatureData } = aggregation
  return {
    task_id: task.taskId,
    status: 'success',
    aggregation_response: {
      task_response_digest: digest,
      non_signer_stakes_and_signature: evidenceView(aggregation),
    },
    task: taskView(task),
    task_response: responseView(signed, signatureData),
    signature_data: signatureData,
    reference_block: task.taskCreatedBlock,
    expiration: expiryBlock(task.taskCreatedBlock, response.policyConfig.expireAfter),
    ...(calldata === undefined ? {} : { validate_calldata: calldata }),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
    ...(errors.length === 0 ? {} : { operator_errors: [...errors] }),
    error: null,
    timestamp,
  }
}

export const taskView = (task: Task): TaskView => ({
  ...task,
  intent: intentView(task.intent),
})

function responseView({ response }: Signed, signatureData: Data): TaskResponseView {
  const { policyTaskData } = response
  return {
    task_id: response.taskId,
    policy_client: response.policyClient,
    policy_id: response.policyId,
    policy_address: response.policyAddress,
    intent: intentView(response.intent),
    intent_signature: response.intentSignature,
    evaluation_result: [...Buffer.from(response.evaluationResult.slice(2), 'hex')],
    policy_task_data: { ...policyTaskData, policyData: [...policyTaskData.policyData] },
    policy_config: response.policyConfig,
    signature_data: signatureData,
  }
}

function evidenceView({
  evidence,
}: ReachedAggregation): AggregationResponse['non_signer_stakes_and_signature'] {
  const g1 = ({ X, Y }: { X: bigint; Y: bigint }) => ({ X: toHex(X), Y: toHex(Y) })
  const pair = ([a, b]: readonly [bigint, bigint]): [Quantity, Quantity] => [toHex(a), toHex(b)]
  return {
    nonSignerQuorumBitmapIndices: [...evidence.nonSignerQuorumBitmapIndices],
    nonSignerPubkeys: evidence.nonSignerPubkeys.map(g1),
    quorumApks: evidence.quorumApks.map(g1),
    apkG2: { X: pair(evidence.apkG2.X), Y: pair(evidence.apkG2.Y) },
    sigma: g1(evidence.sigma),
    quorumApkIndices: [...evidence.quorumApkIndices],
    totalStakeIndices: [...evidence.totalStakeIndices],
    nonSignerStakeIndices: evidence.nonSignerStakeIndices.map((indices) => [...indices]),
  }
}
