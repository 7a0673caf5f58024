import { taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { parseEventLogs } from 'viem'
import type { Check } from '../core/check.ts'
import { ConformanceError } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import {
  expectEqual,
  expectObject,
  expectThat,
  isObject,
  type JsonObject,
  show,
} from '../core/expect.ts'
import { hasAttestation } from '../crypto/attestation.ts'
import { expectCreatedBlock, momentOf, ms } from '../kit/assertions/explorerRows.ts'
import { expectHex, sameHex } from '../kit/assertions/hex.ts'
import { isRequired, observed } from '../kit/assertions/observed.ts'
import { freshAttestation } from '../kit/scenarios/attested.ts'
import { askTask, expectFound, explorerTaskNeeds } from '../kit/scenarios/explorer.ts'
import { shownTask } from '../kit/scenarios/explorerShown.ts'
import { respondedTask } from '../kit/scenarios/explorerSubjects.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { createTask, resultOf, taskParams } from '../kit/scenarios/requests.ts'
import {
  dataOf,
  endOf,
  followTask,
  notificationIn,
  subscribe,
  topicOf,
  withSocket,
} from '../kit/scenarios/updates.ts'
import {
  expectDeliveries,
  payloadOf,
  webhookNeeds,
  withWebhook,
} from '../kit/scenarios/webhooks.ts'

/** Section 4.12: one task on every surface. */
const needs = explorerTaskNeeds

/** Members of a task with a response that no later event changes. */
const settled = [
  'created_block',
  'task_created_at',
  'created_txn_hash',
  'task_responded_at',
  'responded_txn_hash',
  'evaluation_result',
  'policy_id',
] as const

function resultBytes(result: JsonObject): string {
  const { task_response } = result
  expectObject(task_response, 'task_response')
  const bytes = task_response.evaluation_result
  return `0x${Buffer.from(Array.isArray(bytes) ? (bytes as number[]) : []).toString('hex')}`
}

const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) ? value[name] : undefined

/** The chain's record of a task, from the two transactions that the explorer names. */
async function onChain(t: CheckContext, detail: JsonObject) {
  const logsOf = async (hash: unknown) =>
    (await t.chain().getTransactionReceipt({ hash: hash as `0x${string}` })).logs
  const abi = taskManagerAbi
  const named = <T extends { args: { taskId: string } }>(events: readonly T[]): T | undefined =>
    events.find(({ args }) => sameHex(args.taskId, detail.id))
  const created = named(
    parseEventLogs({
      abi,
      eventName: 'NewTaskCreated',
      logs: await logsOf(detail.created_txn_hash),
    }),
  )
  const responded = named(
    parseEventLogs({
      abi,
      eventName: 'TaskResponded',
      logs: await logsOf(detail.responded_txn_hash),
    }),
  )
  return { created, responded }
}

/** Compares response and explorer, member by member. */
function expectAgreement(result: JsonObject, detail: JsonObject): void {
  const { task, task_response: response } = result
  expectHex(detail.id, result.task_id, 'id, compared with task_id of the response')
  expectHex(detail.id, memberOf(task, 'taskId'), 'id, compared with task.taskId')
  expectHex(
    detail.policy_client_address,
    memberOf(task, 'policyClient'),
    'policy_client_address, compared with task.policyClient',
  )
  expectHex(detail.policy_id, memberOf(response, 'policy_id'), 'policy_id')
  expectHex(detail.policy_address, memberOf(response, 'policy_address'), 'policy_address')
  expectHex(detail.evaluation_result, resultBytes(result), 'evaluation_result')
  expectHex(memberOf(detail.intent, 'data'), memberOf(memberOf(task, 'intent'), 'data'), 'data')
}

export const explorerSurfaces: readonly Check[] = [
  {
    // 4.12-36: The result of a task, its updates, its notification, the chain and the explorer
    //   agree.
    // 2.9-07: evaluation_result is hex: the result that operators signed.
    // 2.9-11: created_block is the number of the block in which the task was created, or null.
    // 2.9-13: task_responded_at is ISO 8601 in UTC or null: when it was responded to.
    // 2.9-23: The detail adds created_txn_hash, the transaction that created the task, or null.
    // 2.9-24: The detail adds responded_txn_hash, the transaction of the response, or null.
    id: 'explorer.surfaces.success',
    title:
      'a task’s response, its update, the chain and the explorer agree in ids, blocks, times and result',
    clauses: ['4.12-36', '2.9-07', '2.9-11', '2.9-13', '2.9-23', '2.9-24'],
    level: 'must',
    needs: [...needs, 'websocket'],
    run: async (t) => {
      const { result, detail } = await respondedTask(t)
      expectAgreement(result, detail)
      const update = await withSocket(t, async (socket) => {
        const id = String(result.task_id)
        subscribe(socket, topicOf(t, id))
        return endOf(socket, id).catch(() => undefined)
      })
      // Whether tasks of createTask can be followed is open.
      const updated = update === undefined ? undefined : dataOf(update).result
      if (isObject(updated) && hasAttestation(updated))
        expectAgreement({ task_id: result.task_id, ...updated }, detail)
      const { created, responded } = await onChain(t, detail)
      if (created === undefined || responded === undefined) {
        // Contracts of another interface have neither event.
        if (created === responded)
          return observed(t, 'events', 'events of the two transactions', detail)
        const [member, event] =
          created === undefined
            ? (['created_txn_hash', 'NewTaskCreated'] as const)
            : (['responded_txn_hash', 'TaskResponded'] as const)
        throw new ConformanceError(`${member} is wrong`, {
          expected: `the transaction with the event ${event} of the task`,
          observed: show(detail[member]),
        })
      }
      const made = await momentOf(t, detail.created_txn_hash)
      const named = created.args.task.taskCreatedBlock
      expectCreatedBlock(t, detail, { named, mined: made.block })
      expectEqual(ms(detail.task_created_at), made.at, 'task_created_at')
      expectHex(detail.sender_address, created.args.task.intent.from, 'sender_address')
      expectHex(
        detail.evaluation_result,
        responded.args.response.evaluationResult,
        'evaluation_result, compared with the event',
      )
      expectHex(
        detail.policy_id,
        responded.args.response.policyId,
        'policy_id, compared with the event',
      )
      const { referenceBlock, expirationBlock, respondedBlock } = responded.args.certificate
      expectEqual(
        result.reference_block,
        referenceBlock,
        'reference_block, compared with the event',
      )
      expectEqual(result.expiration, expirationBlock, 'expiration, compared with the event')
      const answered = await momentOf(t, detail.responded_txn_hash)
      expectEqual(answered.block, respondedBlock, 'the block of the response')
      const createdAt = Number(memberOf(result.task, 'taskCreatedBlock'))
      const inOrder = createdAt <= made.block && made.block <= answered.block
      expectThat(inOrder, 'the blocks', 'in order', [createdAt, made.block, answered.block])
      // What happened does not change.
      const again = expectFound(await askTask(t, detail.id))
      for (const name of settled) expectEqual(again[name], detail[name], `${name}, read again`)
    },
  },
  {
    // 4.12-36: The result of a task, its updates, its notification, the chain and the explorer
    //   agree.
    // 2.5-20: The same task id appears in the result, in task and in task_response.
    id: 'explorer.surfaces.calldata',
    title: 'the calldata of consecutive tasks of a client is that of each task',
    clauses: ['4.12-36', '2.5-20'],
    level: 'must',
    needs,
    run: async (t) => {
      for (let count = 0; count < 2; count++) {
        const { attestation, result } = await freshAttestation(t)
        expectHex(attestation.task.taskId, result.task_id, 'the task id in validate_calldata')
        expectHex(attestation.response.taskId, result.task_id, 'that of its response')
      }
    },
  },
  {
    // 4.12-36: The result of a task, its updates, its notification, the chain and the explorer
    //   agree.
    // 4.12-19: A task that was created appears in the list.
    id: 'explorer.surfaces.followed',
    title: 'a task that was sent and followed is shown as in its last update',
    clauses: ['4.12-36', '4.12-19'],
    level: 'must',
    needs: [...needs, 'websocket'],
    run: async (t) => {
      const params = taskParams(t)
      const { taskId, end } = await followTask(t, params)
      const detail = await shownTask(
        t,
        taskId,
        'the response',
        (row) => row.task_responded_at !== null,
      )
      expectHex(detail.id, taskId, 'id')
      expectHex(detail.sender_address, params.intent.from, 'sender_address')
      const { result } = dataOf(end)
      if (isObject(result) && hasAttestation(result))
        expectAgreement({ task_id: taskId, ...result }, detail)
    },
  },
  {
    // 4.12-36: The result of a task, its updates, its notification, the chain and the explorer
    //   agree.
    // 2.9-32: What is shown for a task that never reached the chain.
    // 2.9-09: error is a string or null: what went wrong with the task.
    id: 'explorer.surfaces.failure',
    title: 'a failed task’s response, its notification, its update and the explorer agree',
    clauses: ['4.12-36', '2.9-32', '2.9-09'],
    level: 'must',
    needs: [...needs, ...webhookNeeds, 'websocket'],
    run: async (t) => {
      await withWebhook(t, {}, async ({ key, box }) => {
        const answer = await createTask(t, taskParams(t, fixture.simple, { timeout: 0.001 }), {
          key,
        })
        const result = resultOf(answer)
        expectObject(result, 'the result')
        const [delivery] = await expectDeliveries(box, 1)
        const told = payloadOf(delivery!)
        expectHex(told.task_id, result.task_id ?? told.task_id, 'task_id of the notification')
        const id = String(told.task_id)
        const message = await withSocket(
          t,
          async (socket) => {
            subscribe(socket, topicOf(t, id))
            await endOf(socket, id).catch(() => undefined)
            await socket
              .expect('a notification', (m) => notificationIn(m) !== undefined, { ms: 5_000 })
              .catch(() => undefined)
            return socket.frames.map(({ json }) => notificationIn(json)).find(Boolean)
          },
          key,
        )
        if (message !== undefined)
          expectEqual(
            message.notification_id,
            told.notification_id,
            'notification_id, on both channels',
          )
        const shown = shownTask(t, id, 'the failed task in the explorer')
        const detail = isRequired(t, 'failed-task-shown')
          ? await shown
          : await shown.catch(() => undefined)
        if (detail === undefined) return void t.observe('the explorer does not show it')
        expectHex(detail.id, told.task_id, 'id')
        expectEqual(detail.created_txn_hash, null, 'created_txn_hash')
        expectEqual(detail.task_responded_at, null, 'task_responded_at')
        const [inRow, inResult] = [detail.error, result.error].map((text) => String(text))
        expectThat(
          inRow!.includes(inResult!) || inResult!.includes(inRow!),
          'error of the explorer',
          `the error of the response: ${show(result.error)}`,
          detail.error,
        )
        observed(t, 'error', 'error, compared with that of the response', detail.error, {
          answered: result.error,
        })
        const said = String(told.error_message)
        observed(t, 'error-message', 'error_message', said, { error: detail.error })
      })
    },
  },
]
