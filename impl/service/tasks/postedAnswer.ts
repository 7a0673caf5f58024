import type { OnChainAnswer } from 'polgate-chain/tasks.ts'
import type { IntentView } from 'polgate-protocol/intent.ts'
import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { TaskResult } from 'polgate-protocol/task.ts'
import { toHex } from 'viem'

/**
 * The posting of a stored result: the bytes that operators signed.
 *
 * @throws Error for a result without a response
 */
export function postedAnswer(id: Bytes32, result: TaskResult): OnChainAnswer {
  const { task, task_response: told, signature_data: signatureData } = result
  if (task === undefined || told === undefined || signatureData === undefined) {
    throw new Error(`the result of task ${id} has no response`)
  }
  return {
    task: { ...task, intent: intentOf(task.intent) },
    response: {
      taskId: told.task_id,
      policyClient: told.policy_client,
      policyId: told.policy_id,
      policyAddress: told.policy_address,
      intent: intentOf(told.intent),
      intentSignature: told.intent_signature,
      evaluationResult: toHex(Uint8Array.from(told.evaluation_result)),
      policyTaskData: told.policy_task_data,
      policyConfig: told.policy_config,
    },
    signatureData,
  }
}

const intentOf = (view: IntentView) => ({
  ...view,
  value: BigInt(view.value),
  chainId: BigInt(view.chainId),
})
