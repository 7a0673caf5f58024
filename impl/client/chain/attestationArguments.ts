import { decodeFunctionData, toHex } from 'viem'
import { NotSpendableError } from '../errors/chainErrors.ts'
import { policyClientAbi } from '../generated/contractAbis.ts'
import type { IntentView } from '../generated/rpcTypes.ts'
import type { Hex } from '../hex.ts'
import type { TaskSuccess } from '../tasks/taskOutcome.ts'

const [executeIntent] = policyClientAbi

/** `validateAttestationDirect(Task, TaskResponse, bytes)` of the task manager: the same arguments. */
const validateAttestation = [{ ...executeIntent, name: 'validateAttestationDirect' }] as const

const intentOf = ({ value, chainId, ...rest }: IntentView) => ({
  ...rest,
  value: BigInt(value),
  chainId: BigInt(chainId),
})

/**
 * The arguments `(task, response, signatureData)` that the contracts take (decisions, section 3): of
 * `validate_calldata` where the result has it, else of its members.
 *
 * @throws NotSpendableError for a result without signature
 */
export function attestationArguments(result: TaskSuccess) {
  const { validate_calldata, task, task_response: response } = result
  if (validate_calldata !== undefined)
    return decodeFunctionData({ abi: validateAttestation, data: validate_calldata }).args
  const signatureData = result.signature_data ?? response.signature_data
  if (signatureData === undefined)
    throw new NotSpendableError(
      'The result has no signature_data.',
      'Create the task with include_validate_calldata.',
    )
  return [
    { ...task, intent: intentOf(task.intent) },
    {
      taskId: response.task_id,
      policyClient: response.policy_client,
      policyId: response.policy_id,
      policyAddress: response.policy_address,
      intent: intentOf(response.intent),
      intentSignature: response.intent_signature,
      evaluationResult: toHex(Uint8Array.from(response.evaluation_result)) as Hex,
      policyTaskData: response.policy_task_data,
      policyConfig: response.policy_config,
    },
    signatureData,
  ] as const
}
