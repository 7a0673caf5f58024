import { isHex } from 'viem'
import { expectEqual, expectThat, isObject, type JsonObject } from '../../core/expect.ts'
import {
  type Attestation,
  decisionOf,
  encodeAttestation,
  responseOfResult,
  taskOfResult,
} from '../../crypto/attestation.ts'
import { callContract } from '../../kit/assertions/contract.ts'
import { expectExpiration } from '../../kit/assertions/expiration.ts'
import { sameHex } from '../../kit/assertions/hex.ts'

import type { ModelTask } from '../state.ts'
import type { Invariant } from '../step.ts'
import { type SeenTask, type Surfaces, tell } from '../surfaces.ts'

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) ? value[name] : undefined

/** Whether it contains a response that can be sent to the contract. */
export const isAttested = (result: JsonObject | undefined): result is JsonObject =>
  isObject(result?.task_response) && isObject(result.task)

export function attestationOf(result: JsonObject): Attestation {
  const signatureData = memberOf(result.task_response, 'signature_data') ?? result.signature_data
  expectThat(isHex(signatureData), 'signature_data', 'hex', signatureData)
  return { task: taskOfResult(result), response: responseOfResult(result), signatureData }
}

/** Sections 2.5 and 3: ids and blocks of one response are consistent. */
function expectConsistent(seen: SeenTask, { client }: Surfaces, result: JsonObject): void {
  const { task, task_response: response, reference_block, expiration } = result
  for (const [what, id] of [
    ['task.taskId', memberOf(task, 'taskId')],
    ['task_response.task_id', memberOf(response, 'task_id')],
    ['task_id', result.task_id ?? seen.taskId],
  ] as const)
    expectThat(sameHex(id, seen.taskId), what, seen.taskId, id)
  for (const [what, at] of [
    ['task.policyClient', memberOf(task, 'policyClient')],
    ['task_response.policy_client', memberOf(response, 'policy_client')],
  ] as const)
    expectThat(sameHex(at, client), what, client, at)
  const after = memberOf(memberOf(response, 'policy_config'), 'expireAfter')
  expectExpiration(expiration, Number(reference_block), Number(after))
  const created = Number(memberOf(task, 'taskCreatedBlock'))
  expectThat(
    created <= Number(reference_block),
    'reference_block',
    `a block not before ${created}, in which the task was created`,
    reference_block,
  )
}

function told(task: ModelTask, result: JsonObject): void {
  const isSuccess = result.status === 'success'
  expectEqual(isSuccess, task.ending !== 'failed', `success of a task that ${task.kind}`)
}

async function examine(
  task: ModelTask,
  seen: SeenTask,
  surfaces: Surfaces,
  result: JsonObject,
): Promise<void> {
  told(task, result)
  if (task.ending === 'failed') {
    // Sections 2.5 and 4.2: a failed task has no attestation.
    expectEqual(result.aggregation_response ?? null, null, 'aggregation_response of a failure')
    expectEqual(result.validate_calldata ?? null, null, 'validate_calldata of a failure')
    return
  }
  if (!isAttested(result)) return
  expectConsistent(seen, surfaces, result)
  const attestation = attestationOf(result)
  const allowed = task.ending === 'allowed'
  expectEqual(decisionOf(attestation.response.evaluationResult), allowed, 'the signed decision')
  // The calldata matches the members of the response.
  const calldata = encodeAttestation(attestation)
  if (typeof result.validate_calldata === 'string')
    expectEqual(result.validate_calldata.toLowerCase(), calldata, 'validate_calldata')
  const block = Number(await surfaces.t.chain().getBlockNumber())
  expectThat(
    Number(result.reference_block) <= block,
    'reference_block',
    `a block up to the head of the chain, ${block}`,
    result.reference_block,
  )
  const answer = await callContract(surfaces.t, calldata, attestation.task.policyClient)
  tell(surfaces, `contract: ${JSON.stringify(answer)} of ${seen.taskId.slice(0, 10)}…`)
  expectEqual(answer, { kind: 'decision', allowed }, 'the contract’s answer')
}

/**
 * Each finished task matches the model's prediction, and has an attestation only if it succeeded.
 */
export function tasksAgree(): Invariant {
  const examined = new WeakSet<SeenTask>()
  return async (model, surfaces) => {
    for (const [at, seen] of surfaces.tasks.entries()) {
      if (seen.result === undefined || examined.has(seen)) continue
      await examine(model.tasks[at]!, seen, surfaces, seen.result)
      examined.add(seen)
    }
  }
}
