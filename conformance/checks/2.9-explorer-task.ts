import { isDeepStrictEqual } from 'node:util'
import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectObject, expectThat, type JsonObject } from '../core/expect.ts'
import {
  expectCreatedBlock,
  expectDetailOfTask,
  expectMoment,
  ms,
  summaryRules,
} from '../kit/assertions/explorerRows.ts'
import { expectHex } from '../kit/assertions/hex.ts'
import { askTask, expectFound, explorerTaskNeeds, networkOf } from '../kit/scenarios/explorer.ts'
import { callAll } from '../kit/scenarios/explorerLists.ts'
import { shownTask } from '../kit/scenarios/explorerShown.ts'
import { ownList, pricedTask, respondedTask } from '../kit/scenarios/explorerSubjects.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { newClientNeeds } from '../kit/scenarios/newClient.ts'
import { wasmArgs } from '../kit/scenarios/oracles.ts'
import { pause } from '../kit/scenarios/pause.ts'
import { createTask, expectTask, taskParams } from '../kit/scenarios/requests.ts'

/** Section 2.9: how a task is shown, compared with its response and the chain. */
const needs = explorerTaskNeeds
const ownNeeds = [...needs, ...newClientNeeds] as const
const pricedNeeds = [...needs, 'fixture-host', `client:${fixture.priced}`] as const

export function taskResponseOf(result: JsonObject): JsonObject {
  expectObject(result.task_response, 'task_response')
  return result.task_response
}

const hexOfBytes = (bytes: unknown): string =>
  `0x${Buffer.from(Array.isArray(bytes) ? (bytes as number[]) : []).toString('hex')}`

/** An intent in the explorer equals the sent intent, in camelCase (section 2.2). */
function expectIntent(shown: unknown, sent: JsonObject): void {
  expectObject(shown, 'intent')
  for (const name of ['from', 'to', 'data'] as const) expectHex(shown[name], sent[name], name)
  expectHex(shown.functionSignature, sent.function_signature, 'functionSignature')
  expectEqual(shown.chainId, Number(sent.chain_id), 'chainId')
  const whole = typeof shown.value === 'number' || typeof shown.value === 'string'
  expectThat(whole, 'value', sent.value, shown.value)
  expectEqual(BigInt(shown.value as string), BigInt(String(sent.value)), 'value')
  const snake = ['chain_id', 'function_signature'].filter((name) => name in shown)
  expectEqual(snake, [], 'members of intent in snake_case')
}

async function expectOnChain(t: CheckContext, id: string, hash: unknown): Promise<void> {
  const { logs } = await t.chain().getTransactionReceipt({ hash: hash as `0x${string}` })
  const named = logs.some(({ topics, data }) =>
    [...topics, data].some((text) => text.toLowerCase().includes(id.slice(2).toLowerCase())),
  )
  expectThat(named, 'the transaction', `a log that names ${id}`, hash)
}

type RowAndDetail = readonly [row: JsonObject, detail: JsonObject]

/**
 * Rows of a list with their details, by id; read again while tasks change between the two requests.
 */
async function rowsWithDetails(
  t: CheckContext,
  path: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RowAndDetail>> {
  const agree = ([row, detail]: RowAndDetail) =>
    Object.keys(summaryRules).every((name) => isDeepStrictEqual(row[name], detail[name]))
  for (let attempt = 0; ; attempt++) {
    // A row that is added moves the others: the last of a page is the first of the next one too.
    const pairs = new Map<string, RowAndDetail>()
    for (const row of await callAll(t, path)) {
      const id = String(row.id).toLowerCase()
      if (ids.includes(id)) pairs.set(id, [row, expectFound(await askTask(t, row.id))])
    }
    const settled = pairs.size === ids.length && [...pairs.values()].every(agree)
    if (settled || attempt === 5) return pairs
    await pause(500)
  }
}

export const explorerTask: readonly Check[] = [
  {
    // 2.9-01: id is the id of the task, 32 bytes of hex.
    // 2.9-02: network is the name of the selected network.
    // 2.9-03: sender_address is the sender of the intent.
    // 2.9-04: policy_client_address is the client of the task.
    // 2.9-05: policy_id is a string or null: the policy the task was evaluated with.
    // 2.9-06: policy_address is a string or null: the address of that policy.
    // 2.9-07: evaluation_result is hex: the result that operators signed.
    // 4.12-05: /task/{task_id} returns the detail of a task.
    // 2.9-27: What has not happened yet is null: neither absent, nor empty, nor zero.
    id: 'explorer.task.fields',
    title: 'a task is shown with the specified fields, as in its response',
    clauses: [
      '2.9-01',
      '2.9-02',
      '2.9-03',
      '2.9-04',
      '2.9-05',
      '2.9-06',
      '2.9-07',
      '4.12-05',
      '2.9-27',
    ],
    level: 'must',
    needs,
    run: async (t) => {
      const { detail, result, params } = await respondedTask(t)
      expectDetailOfTask(detail, networkOf(t))
      const response = taskResponseOf(result)
      expectHex(detail.id, result.task_id, 'id')
      expectHex(detail.sender_address, params.intent.from, 'sender_address')
      expectHex(detail.policy_client_address, params.policy_client, 'policy_client_address')
      expectHex(detail.policy_id, response.policy_id, 'policy_id')
      expectHex(detail.policy_address, response.policy_address, 'policy_address')
      expectHex(
        detail.evaluation_result,
        hexOfBytes(response.evaluation_result),
        'evaluation_result',
      )
      expectEqual(detail.error, null, 'error of a task that succeeded')
    },
  },
  {
    // 2.9-20: The detail adds intent, an object: the intent of the task.
    // 2.2-10: The explorer shows intents in camelCase with a numeric chain id.
    id: 'explorer.task.intent',
    title: 'the detail has the intent that was sent: camelCase, the chain id a number',
    clauses: ['2.9-20', '2.2-10'],
    level: 'must',
    needs: pricedNeeds,
    run: async (t) => {
      const { detail, params } = await respondedTask(t)
      expectIntent(detail.intent, params.intent)
      const priced = await pricedTask(t, { wasm_args: wasmArgs(t, fixture.priced) })
      expectIntent(priced.detail.intent, priced.params.intent)
    },
  },
  {
    // 2.9-20: The detail adds intent, an object: the intent of the task.
    // 2.2-10: The explorer shows intents in camelCase with a numeric chain id.
    id: 'explorer.task.intent-with-call',
    title: 'the intent of a call is shown with its calldata and its signature',
    clauses: ['2.9-20', '2.2-10'],
    level: 'must',
    needs,
    run: async (t) => {
      const call = {
        value: '0x0',
        data:
          '0xa413686200000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000000000000000000000000000000005' +
          '68656c6c6f000000000000000000000000000000000000000000000000000000',
        function_signature: '0x7365744772656574696e6728737472696e6729',
      }
      const params = taskParams(t)
      const sent = { ...params, intent: { ...params.intent, ...call } }
      const { task_id } = expectTask(await createTask(t, sent))
      const detail = await shownTask(t, task_id)
      expectIntent(detail.intent, sent.intent)
    },
  },
  {
    // 2.9-07: evaluation_result is hex: the result that operators signed.
    // 2.9-08: evaluation_result is null until operators have responded.
    id: 'explorer.task.denied',
    title: 'the result of a denied task is shown as the operators signed it',
    clauses: ['2.9-07', '2.9-08'],
    level: 'must',
    needs: ownNeeds,
    run: async (t) => {
      const { ids } = await ownList(t)
      const [denied, allowed] = await Promise.all(
        ids
          .slice(0, 2)
          .map((id) => shownTask(t, id, 'the response', (row) => row.task_responded_at !== null)),
      )
      const word = (digit: string) => `0x${digit.padStart(64, '0')}`
      expectEqual(denied!.evaluation_result, word('0'), 'evaluation_result of a denied task')
      expectEqual(allowed!.evaluation_result, word('1'), 'evaluation_result of an allowed task')
    },
  },
  {
    // 2.9-11: created_block is the number of the block in which the task was created, or null.
    // 2.9-12: task_created_at is ISO 8601 in UTC or null: when the task was created.
    // 2.9-23: The detail adds created_txn_hash, the transaction that created the task, or null.
    id: 'explorer.task.created',
    title:
      'task_created_at and created_txn_hash are those of the chain, created_block that of the task',
    clauses: ['2.9-11', '2.9-12', '2.9-23'],
    level: 'must',
    needs,
    run: async (t) => {
      const { detail, result } = await respondedTask(t)
      const at = await expectMoment(t, detail, 'task_created_at', 'created_txn_hash')
      const { taskCreatedBlock: named } = result.task as JsonObject
      expectCreatedBlock(t, detail, { named, mined: at.block })
      await expectOnChain(t, String(detail.id), detail.created_txn_hash)
    },
  },
  {
    // 2.9-13: task_responded_at is ISO 8601 in UTC or null: when it was responded to.
    // 2.9-24: The detail adds responded_txn_hash, the transaction of the response, or null.
    // 2.9-17: task_responded_metadata is an object or null: metadata of the response.
    id: 'explorer.task.responded',
    title: 'task_responded_at and responded_txn_hash are those of the chain, after the creation',
    clauses: ['2.9-13', '2.9-24', '2.9-17'],
    level: 'must',
    needs,
    run: async (t) => {
      const { detail } = await respondedTask(t)
      const created = await expectMoment(t, detail, 'task_created_at', 'created_txn_hash')
      const responded = await expectMoment(t, detail, 'task_responded_at', 'responded_txn_hash')
      expectThat(
        responded.block >= created.block,
        'the block of the response',
        `not before ${created.block}`,
        responded.block,
      )
      await expectOnChain(t, String(detail.id), detail.responded_txn_hash)
      expectObject(detail.task_responded_metadata, 'task_responded_metadata')
    },
  },
  {
    // 2.9-27: What has not happened yet is null: neither absent, nor empty, nor zero.
    // 2.9-14: attestation_spent_at is ISO 8601 in UTC or null: when its attestation was spent.
    // 2.9-15: task_challenged_at is ISO 8601 in UTC or null: when it was challenged.
    // 2.9-25: The detail adds challenged_txn_hash, the transaction of the challenge, or null.
    // 2.9-26: The detail adds spent_txn_hash, the transaction that spent the attestation, or null.
    // 3-08: Each timestamp of the explorer is null until its event has happened.
    id: 'explorer.task.not-yet',
    title: 'fields of events that have not happened are null: spent and challenged',
    clauses: ['2.9-27', '2.9-14', '2.9-15', '2.9-25', '2.9-26', '3-08'],
    level: 'must',
    needs,
    run: async (t) => {
      const { detail } = await respondedTask(t)
      const names = [
        'attestation_spent_at',
        'spent_txn_hash',
        'task_challenged_at',
        'challenged_txn_hash',
      ]
      for (const name of names) expectEqual(detail[name], null, name)
      const { challenge_result } = detail
      expectThat(
        challenge_result === null || challenge_result === 'unchallenged',
        'challenge_result of an unchallenged task',
        'unchallenged or null',
        challenge_result,
      )
    },
  },
  {
    // 2.9-19: The detail has every field of the summary, with the same values.
    // 2.9-18: updated_at is a time: the last update of the indexer.
    id: 'explorer.task.summary',
    title: 'the detail has every field of the summary, with its values, in every list',
    clauses: ['2.9-19', '2.9-18'],
    level: 'must',
    needs: ownNeeds,
    run: async (t) => {
      const own = await ownList(t)
      for (const path of [own.byId, own.byAddress, '/task']) {
        const rows = await rowsWithDetails(t, path, own.ids)
        const missing = own.ids.filter((id) => !rows.has(id))
        expectEqual(missing, [], `the missing tasks in ${path}`)
        for (const [row, detail] of rows.values()) {
          for (const name of Object.keys(summaryRules))
            expectEqual(detail[name], row[name], `${name} of the detail and of the summary`)
          expectThat(ms(row.updated_at) > ms('2020-01-01'), 'updated_at', 'a time', row.updated_at)
        }
      }
    },
  },
]
