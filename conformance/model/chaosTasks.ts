import type { Hex } from 'viem'
import type { Answer } from '../core/answer.ts'
import { ConformanceError } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectThat, isObject, type JsonObject, show } from '../core/expect.ts'
import { decisionOf, encodeAttestation, hasAttestation } from '../crypto/attestation.ts'
import { callContract } from '../kit/assertions/contract.ts'
import { expectNotification } from '../kit/assertions/notification.ts'
import { askTask } from '../kit/scenarios/explorer.ts'
import { until } from '../kit/scenarios/explorerShown.ts'
import { failureOf, resultOf } from '../kit/scenarios/requests.ts'
import { expectDeliveries, payloadOf, type Webhook } from '../kit/scenarios/webhooks.ts'
import { attestationOf, isAttested } from './invariants/task.ts'

/** A task that was submitted during faults. */
export type Survivor = {
  /** In lower case; undefined if the call was rejected, and there is no task. */
  readonly taskId: string | undefined
  readonly succeeded: boolean
  readonly result: JsonObject
  readonly failure: string | undefined
  /** The decision of its policy, independent of faults. */
  readonly allows: boolean
  /** Value of its intent: unique in the run. */
  readonly value?: Hex | undefined
}

/** Result of a task that was awaited. Faults do not excuse an invalid response. */
export function survivorOf(answer: Answer, allows: boolean, value?: Hex): Survivor {
  expectThat(
    isObject(answer.json),
    'the response during faults',
    'JSON-RPC',
    show(answer.exchange.body),
  )
  const given = resultOf(answer)
  const result = isObject(given) ? given : {}
  const failure = failureOf(answer)
  const taskId = typeof result.task_id === 'string' ? result.task_id.toLowerCase() : undefined
  return { taskId, succeeded: failure === undefined, result, failure, allows, value }
}

/** The same for a sent task, from the result in its last update, whose content is open. */
export function sentSurvivor(taskId: string, data: JsonObject, allows: boolean): Survivor {
  const succeeded = data.status === 'success'
  const told = isObject(data.result) ? data.result : {}
  const result = succeeded && !hasAttestation(told) ? {} : told
  const failure = succeeded ? undefined : String(result.error ?? data.status)
  return { taskId, succeeded, result, failure, allows }
}

/** Sections 1 and 2.5: an attestation verifies and matches the policy; a failure has none. */
async function expectHonest(t: CheckContext, one: Survivor): Promise<void> {
  if (!one.succeeded) {
    expectEqual(one.result.aggregation_response ?? null, null, 'aggregation_response of a failure')
    return
  }
  if (!isAttested(one.result)) return
  const attestation = attestationOf(one.result)
  if (one.value !== undefined)
    expectEqual(attestation.response.intent.value, BigInt(one.value), 'the value of the intent')
  expectEqual(decisionOf(attestation.response.evaluationResult), one.allows, 'the decision')
  const calldata = encodeAttestation(attestation)
  const told = await callContract(t, calldata, attestation.task.policyClient)
  expectEqual(told, { kind: 'decision', allowed: one.allows }, 'the contract’s response')
}

const notificationsOf = ({ box }: Webhook, taskId: Hex | string): readonly JsonObject[] =>
  box.deliveries.map(payloadOf).filter(({ task_id }) => String(task_id).toLowerCase() === taskId)

/** The result is on chain, or its key was notified that it is not. */
async function expectPosted(t: CheckContext, webhook: Webhook, taskId: string): Promise<void> {
  const row = async () => {
    const { json } = await askTask(t, taskId)
    const responded = isObject(json) && (json.task_responded_at ?? null) !== null
    return responded || notificationsOf(webhook, taskId).length > 0
  }
  await until(t, `the end of ${taskId} on chain, or a notification of its failure`, row, Boolean)
}

/**
 * After all faults: each task has one end, and every surface reports the same. Returns the notified
 * failure types.
 */
export async function expectOneEnd(
  t: CheckContext,
  webhook: Webhook,
  survivors: readonly Survivor[],
): Promise<readonly string[]> {
  const failed = survivors.filter(({ succeeded, taskId }) => !succeeded && taskId !== undefined)
  await expectDeliveries(webhook.box, failed.length)
  for (const one of survivors) {
    await expectHonest(t, one)
    const { taskId } = one
    if (taskId === undefined) continue
    if (one.succeeded) {
      await expectPosted(t, webhook, taskId)
      continue
    }
    const told = notificationsOf(webhook, taskId)
    const ids = new Set(told.map(({ notification_id }) => notification_id))
    if (ids.size !== 1)
      throw new ConformanceError(`the notifications of ${taskId}, ${one.failure}, are wrong`, {
        expected: 'one',
        observed: show(told),
      })
    for (const each of told) expectNotification(each, taskId)
    const { json } = await askTask(t, taskId)
    if (isObject(json)) expectEqual(json.task_responded_at ?? null, null, 'task_responded_at')
  }
  return webhook.box.deliveries.map((each) => String(payloadOf(each).failure_type))
}
