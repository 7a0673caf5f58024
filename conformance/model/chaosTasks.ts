import type { Hex } from 'viem'
import type { Answer } from '../core/answer.ts'
import { ConformanceError } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectThat, isObject, type JsonObject, show } from '../core/expect.ts'
import { decisionOf, encodeAttestation } from '../crypto/attestation.ts'
import { askContract } from '../kit/assertions/contract.ts'
import { expectNotification } from '../kit/assertions/notification.ts'
import { ask, taskPath, until } from '../kit/scenarios/explorer.ts'
import { failureOf, resultOf } from '../kit/scenarios/requests.ts'
import { expectDeliveries, payloadOf, type Webhook } from '../kit/scenarios/webhooks.ts'
import { attestationOf, isAttested } from './invariants/task.ts'

/** One task that had to live through chaos. */
export type Survivor = {
  /** In small letters; undefined where the call was refused, and there is no task. */
  readonly taskId: string | undefined
  readonly succeeded: boolean
  readonly result: JsonObject
  readonly failure: string | undefined
  /** What its policy decides, whoever is in trouble. */
  readonly allows: boolean
  /** Of its intent: no other task of the run has it. */
  readonly value?: Hex | undefined
}

/** What came of a task that was waited for. Chaos is no excuse for an answer that is none. */
export const survivorOf = (answer: Answer, allows: boolean, value?: Hex): Survivor => {
  expectThat(
    isObject(answer.json),
    'the answer under chaos',
    'JSON-RPC',
    show(answer.exchange.body),
  )
  const given = resultOf(answer)
  const result = isObject(given) ? given : {}
  const failure = failureOf(answer)
  const taskId = typeof result.task_id === 'string' ? result.task_id.toLowerCase() : undefined
  return { taskId, succeeded: failure === undefined, result, failure, allows, value }
}

/** The same for one that was sent, from the result that its last update carries. */
export const sentSurvivor = (taskId: string, data: JsonObject, allows: boolean): Survivor => {
  const result = isObject(data.result) ? data.result : {}
  const succeeded = data.status === 'success'
  const failure = succeeded ? undefined : String(result.error ?? data.status)
  return { taskId, succeeded, result, failure, allows }
}

/** Sections 1 and 2.5: what is attested verifies, and says what the policy says; else nothing is. */
const expectHonest = async (t: CheckContext, one: Survivor): Promise<void> => {
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
  const told = await askContract(t, calldata, attestation.task.policyClient)
  expectEqual(told, { kind: 'decision', allowed: one.allows }, 'the contract’s answer')
}

const notificationsOf = ({ box }: Webhook, taskId: Hex | string): readonly JsonObject[] =>
  box.deliveries.map(payloadOf).filter(({ task_id }) => String(task_id).toLowerCase() === taskId)

/** The result stands on chain, or its key was told that it does not. */
const expectPosted = async (t: CheckContext, webhook: Webhook, taskId: string): Promise<void> => {
  const row = async () => {
    const { json } = await ask(t, taskPath(taskId))
    const responded = isObject(json) && (json.task_responded_at ?? null) !== null
    return responded || notificationsOf(webhook, taskId).length > 0
  }
  await until(t, `the end of ${taskId} on chain, or a notification of its failure`, row, Boolean)
}

/**
 * Once all is calm again: each has one end, and every surface tells that one. Returns the types of
 * failure that were told.
 */
export const expectOneEnd = async (
  t: CheckContext,
  webhook: Webhook,
  survivors: readonly Survivor[],
): Promise<readonly string[]> => {
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
    const { json } = await ask(t, taskPath(taskId))
    if (isObject(json)) expectEqual(json.task_responded_at ?? null, null, 'task_responded_at')
  }
  return webhook.box.deliveries.map((each) => String(payloadOf(each).failure_type))
}
