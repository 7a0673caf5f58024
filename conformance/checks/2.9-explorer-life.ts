import type { Check } from '../core/check.ts'
import { Untestable } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectThat, isObject, type JsonObject } from '../core/expect.ts'
import {
  detailRules,
  expectDetailOfTask,
  expectMoment,
  ms,
  summaryRules,
} from '../kit/assertions/explorerRows.ts'
import { expectHex, sameHex } from '../kit/assertions/hex.ts'
import { observed } from '../kit/assertions/observed.ts'
import { explorerTaskNeeds, networkOf } from '../kit/scenarios/explorer.ts'
import { lifeNeeds, postedLife } from '../kit/scenarios/explorerLife.ts'
import { fetchPage, listPath } from '../kit/scenarios/explorerLists.ts'
import { until } from '../kit/scenarios/explorerShown.ts'
import {
  challengedTask,
  type FailedTask,
  spentTask,
  timedOutTask,
  trappedTask,
} from '../kit/scenarios/explorerSubjects.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'

/** Sections 2.9 and 3: how the fields of a task change with its events. */
const needs = [...explorerTaskNeeds, 'sender'] as const

const all = Object.keys({ ...summaryRules, ...detailRules })

/** Only these fields, and the time of the last update, have changed. */
function expectChanged(before: JsonObject, after: JsonObject, names: readonly string[]): void {
  for (const name of all.filter((n) => !names.includes(n) && n !== 'updated_at'))
    expectEqual(after[name], before[name], `${name}, which has had no event,`)
  expectThat(
    ms(after.updated_at) >= ms(before.updated_at),
    'updated_at',
    `not before ${before.updated_at}`,
    after.updated_at,
  )
}

const respondedNames = [
  'policy_id',
  'policy_address',
  'evaluation_result',
  'task_responded_at',
  'task_responded_metadata',
  'policy_config',
  'policy_task_data',
  'responded_txn_hash',
  'challenge_result',
]
const spentNames = ['attestation_spent_at', 'spent_txn_hash']
const challengedAtNames = ['task_challenged_at', 'challenged_txn_hash']
const challengedNames = [...challengedAtNames, 'challenge_result']

function expectNull(row: JsonObject, names: readonly string[], when: string): void {
  for (const name of names) expectEqual(row[name], null, `${name} ${when}`)
}

/** The row of a task in a list, or undefined. */
async function rowIn(t: CheckContext, path: string, id: unknown): Promise<JsonObject | undefined> {
  for (let page = 1; ; page++) {
    const { results, total, size } = await fetchPage(t, path, page, 100)
    const row = results.find((each) => sameHex(each.id, id))
    if (row !== undefined || page * size >= total) return row
  }
}

/** Checks the row of a task in every list, once the list shows what happened last. */
async function expectSameRows(t: CheckContext, detail: JsonObject, last: string): Promise<void> {
  const { id, policy_id: policyId, policy_address: policyAddress } = detail
  for (const path of [
    '/task',
    await listPath(t, 'id', policyId),
    await listPath(t, 'address', policyAddress),
  ]) {
    const read = () => rowIn(t, path, id)
    const isShown = (row: JsonObject | undefined) => row !== undefined && row[last] !== null
    const row = (await until(t, `${last} of the task in ${path}`, read, isShown)) as JsonObject
    for (const name of Object.keys(summaryRules).filter((each) => each !== 'updated_at'))
      expectEqual(row[name], detail[name], `${name} in ${path}, compared with the detail,`)
  }
}

/**
 * Checks a task that never reached the chain: its error is shown, and nothing that comes from the
 * chain. That time, block and policy come from the gateway's record is a decision of the reference
 * implementation.
 */
const neverOnChain = (
  id: string,
  title: string,
  of: {
    readonly client: string
    /** It may end before its client has been read. */
    readonly early: boolean
    readonly more: Check['needs']
  },
  task: (t: CheckContext) => Promise<FailedTask>,
): Check => ({
  id,
  title: `observed: ${title} is shown with its error, and null for everything that did not happen on chain`,
  clauses: ['2.9-32', '2.9-09', '2.9-27', '2.9-19'],
  level: 'must',
  needs: [...needs, ...of.more],
  run: async (t) => {
    const { answer, detail, params } = await task(t)
    if (detail === undefined) return void t.observe('the task is not shown')
    expectDetailOfTask(detail, networkOf(t))
    expectHex(detail.id, answer.task_id, 'id')
    expectHex(detail.sender_address, params.intent.from, 'sender_address')
    expectHex(detail.policy_client_address, params.policy_client, 'policy_client_address')
    const names = ['created_txn_hash', ...spentNames, ...challengedAtNames]
    expectNull(detail, [...names, 'task_responded_at', 'responded_txn_hash'], 'off chain')
    observed(t, 'challenge-result', 'challenge_result off chain', detail.challenge_result)
    const block = isObject(answer.task) ? Number(answer.task.taskCreatedBlock) : 0
    const named = block > 0 ? block : null
    observed(
      t,
      'created-block',
      'created_block, compared with taskCreatedBlock',
      detail.created_block,
      {
        taskCreatedBlock: named,
      },
    )
    const { policyId, policyAddress } = t.client(of.client)
    for (const [name, hex] of [
      ['policy_id', policyId.toLowerCase()],
      ['policy_address', policyAddress.toLowerCase()],
    ] as const)
      observed(t, 'policy', name, detail[name], { hex, early: of.early })
    const created = detail.task_created_at
    observed(t, 'task-created-at', 'task_created_at', created)
    expectThat(detail.error !== null, 'error of a task that failed', 'a text', detail.error)
    const row = await rowIn(t, '/task', detail.id)
    if (row !== undefined) expectEqual(row.error, detail.error, 'error in /task')
    observed(t, 'error', 'error, compared with that of the response', detail.error, {
      answered: answer.error,
    })
  },
})

export const explorerLife: readonly Check[] = [
  {
    // 2.9-14: attestation_spent_at is ISO 8601 in UTC or null: when its attestation was spent.
    // 2.9-26: The detail adds spent_txn_hash, the transaction that spent the attestation, or null.
    // 2.9-27: What has not happened yet is null: neither absent, nor empty, nor zero.
    // 3-08: Each timestamp of the explorer is null until its event has happened.
    // 2.9-19: The detail has every field of the summary, with the same values.
    id: 'explorer.task.spent',
    title:
      'when the client executes the intent, the spent attestation is shown, and nothing else changes',
    clauses: ['2.9-14', '2.9-26', '2.9-27', '3-08', '2.9-19'],
    level: 'must',
    needs,
    run: async (t) => {
      const { before, after, hash } = await spentTask(t)
      expectDetailOfTask(before, networkOf(t))
      expectNull(before, spentNames, 'before it is spent')
      expectDetailOfTask(after, networkOf(t))
      expectHex(after.spent_txn_hash, hash, 'spent_txn_hash')
      await expectMoment(t, after, 'attestation_spent_at', 'spent_txn_hash')
      expectChanged(before, after, spentNames)
      await expectSameRows(t, after, 'attestation_spent_at')
    },
  },
  {
    // 2.9-15: task_challenged_at is ISO 8601 in UTC or null: when it was challenged.
    // 2.9-16: challenge_result is unchallenged, success, unsuccessful or null.
    // 2.9-25: The detail adds challenged_txn_hash, the transaction of the challenge, or null.
    // 3-09: challenge_result is unchallenged, success or unsuccessful.
    // 2.9-27: What has not happened yet is null: neither absent, nor empty, nor zero.
    // 2.9-19: The detail has every field of the summary, with the same values.
    id: 'explorer.task.challenged',
    title: 'when a response is challenged, the challenge is shown with its result',
    clauses: ['2.9-15', '2.9-16', '2.9-25', '3-09', '2.9-27', '2.9-19'],
    level: 'must',
    needs: [...needs, 'challenge-form'],
    run: async (t) => {
      const { before, after, hash } = await challengedTask(t)
      expectNull(before, challengedAtNames, 'before the challenge')
      expectDetailOfTask(after, networkOf(t))
      expectHex(after.challenged_txn_hash, hash, 'challenged_txn_hash')
      await expectMoment(t, after, 'task_challenged_at', 'challenged_txn_hash')
      // Evidence of the current result proves nothing against it.
      expectEqual(after.challenge_result, 'unsuccessful', 'challenge_result')
      expectChanged(before, after, challengedNames)
      await expectSameRows(t, after, 'task_challenged_at')
    },
  },
  {
    // 3-11: The transitions of challenge_result, and its value before a response.
    id: 'explorer.task.observed.unchallenged',
    title: 'observed: challenge_result before and after a challenge',
    clauses: ['3-11'],
    level: 'may',
    needs: [...needs, 'challenge-form'],
    run: async (t) => {
      const { before, after } = await challengedTask(t)
      observed(t, 'challenge-result-before', 'challenge_result before', before.challenge_result)
      observed(t, 'challenge-result-after', 'challenge_result after', after.challenge_result)
    },
  },
  neverOnChain(
    // 2.9-32: What is shown for a task that never reached the chain.
    // 2.9-09: error is a string or null: what went wrong with the task.
    // 2.9-27: What has not happened yet is null: neither absent, nor empty, nor zero.
    // 2.9-19: The detail has every field of the summary, with the same values.
    'explorer.task.failed.out-of-time',
    'a task that timed out',
    { client: fixture.simple, early: true, more: [] },
    timedOutTask,
  ),
  neverOnChain(
    'explorer.task.failed.operator-errors',
    'a task whose oracle failed at every operator',
    { client: fixture.trapping, early: false, more: [`client:${fixture.trapping}`] },
    trappedTask,
  ),
  {
    // 2.9-08: evaluation_result is null until operators have responded.
    // 2.9-13: task_responded_at is ISO 8601 in UTC or null: when it was responded to.
    // 2.9-24: The detail adds responded_txn_hash, the transaction of the response, or null.
    // 2.9-27: What has not happened yet is null: neither absent, nor empty, nor zero.
    // 3-08: Each timestamp of the explorer is null until its event has happened.
    // 4.12-19: A task that was created appears in the list.
    id: 'explorer.life.created',
    title: 'a created task without a response has null for all later events',
    clauses: ['2.9-08', '2.9-13', '2.9-24', '2.9-27', '3-08', '4.12-19'],
    level: 'must',
    needs: lifeNeeds,
    exclusive: true,
    run: async (t) => {
      const { created, hashes } = await postedLife(t)
      expectDetailOfTask(created, networkOf(t))
      expectHex(created.created_txn_hash, hashes.created, 'created_txn_hash')
      await expectMoment(t, created, 'task_created_at', 'created_txn_hash')
      // The value of challenge_result before a response is open (clause 3-11).
      const later = [...respondedNames, ...spentNames, ...challengedAtNames].filter(
        (name) => name !== 'challenge_result',
      )
      expectNull(created, later, 'before a response')
      const { challenge_result: result } = created
      observed(t, 'challenge-result', 'challenge_result before a response', result)
      expectNull(created, ['error', 'operator_errors'], 'if nothing failed')
    },
  },
  {
    // 2.9-07: evaluation_result is hex: the result that operators signed.
    // 2.9-13: task_responded_at is ISO 8601 in UTC or null: when it was responded to.
    // 2.9-24: The detail adds responded_txn_hash, the transaction of the response, or null.
    // 3-08: Each timestamp of the explorer is null until its event has happened.
    id: 'explorer.life.responded',
    title: 'a response sets its fields, and does not change those of the creation',
    clauses: ['2.9-07', '2.9-13', '2.9-24', '3-08'],
    level: 'must',
    needs: lifeNeeds,
    exclusive: true,
    run: async (t) => {
      const { created, responded, hashes, attestation } = await postedLife(t)
      expectDetailOfTask(responded, networkOf(t))
      expectHex(responded.responded_txn_hash, hashes.responded, 'responded_txn_hash')
      await expectMoment(t, responded, 'task_responded_at', 'responded_txn_hash')
      const { evaluationResult, policyId, policyAddress } = attestation.response
      expectHex(responded.evaluation_result, evaluationResult, 'evaluation_result')
      expectHex(responded.policy_id, policyId, 'policy_id')
      expectHex(responded.policy_address, policyAddress, 'policy_address')
      expectChanged(created, responded, respondedNames)
    },
  },
  {
    // 2.9-15: task_challenged_at is ISO 8601 in UTC or null: when it was challenged.
    // 2.9-16: challenge_result is unchallenged, success, unsuccessful or null.
    // 2.9-25: The detail adds challenged_txn_hash, the transaction of the challenge, or null.
    // 3-09: challenge_result is unchallenged, success or unsuccessful.
    id: 'explorer.life.success',
    title: 'a successful challenge after an unsuccessful one replaces it',
    clauses: ['2.9-15', '2.9-16', '2.9-25', '3-09'],
    level: 'must',
    needs: [...lifeNeeds, 'challenge-form'],
    exclusive: true,
    run: async (t) => {
      const { responded, challenges } = await postedLife(t)
      if (challenges === undefined) throw new Untestable('the response was not challenged')
      const { shown: before, hash: hashBefore } = challenges.unsuccessful
      expectEqual(before.challenge_result, 'unsuccessful', 'challenge_result at first')
      expectHex(before.challenged_txn_hash, hashBefore, 'challenged_txn_hash at first')
      const { shown: success, hash } = challenges.success
      expectEqual(success.challenge_result, 'success', 'challenge_result')
      expectHex(success.challenged_txn_hash, hash, 'challenged_txn_hash')
      await expectMoment(t, success, 'task_challenged_at', 'challenged_txn_hash')
      expectChanged(responded, success, challengedNames)
    },
  },
]
