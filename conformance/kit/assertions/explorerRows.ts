import type { CheckContext } from '../../core/context.ts'
import { expectEqual, expectThat, type JsonObject } from '../../core/expect.ts'
import { observed } from './observed.ts'
import {
  address,
  array,
  bytes32,
  data,
  expectShape,
  filledString,
  isoTime,
  nullable,
  object,
  oneOf,
  positive,
  type Rule,
} from './shape.ts'

const anyOf =
  (...rules: readonly Rule[]): Rule =>
  (value) => {
    const wrong = rules.map((rule) => rule(value))
    return wrong.includes(undefined) ? undefined : wrong.join(' or ')
  }

const networks = oneOf('testnet', 'base-sepolia', 'mainnet', 'base')

/** Section 2.9: the fields of a summary. Null fields must not be absent, empty or zero. */
export const summaryRules = {
  id: bytes32,
  network: networks,
  sender_address: address,
  policy_client_address: address,
  policy_id: nullable(bytes32),
  policy_address: nullable(address),
  evaluation_result: nullable(data),
  error: nullable(filledString),
  operator_errors: nullable(anyOf(object, array)),
  created_block: nullable(positive),
  task_created_at: nullable(isoTime),
  task_responded_at: nullable(isoTime),
  attestation_spent_at: nullable(isoTime),
  task_challenged_at: nullable(isoTime),
  challenge_result: nullable(oneOf('unchallenged', 'success', 'unsuccessful')),
  task_responded_metadata: nullable(object),
  updated_at: isoTime,
} as const satisfies Record<string, Rule>

/** Section 2.9: additional fields of the detail. */
export const detailRules = {
  intent: object,
  policy_config: nullable(object),
  policy_task_data: nullable(object),
  created_txn_hash: nullable(bytes32),
  responded_txn_hash: nullable(bytes32),
  challenged_txn_hash: nullable(bytes32),
  spent_txn_hash: nullable(bytes32),
} as const satisfies Record<string, Rule>

/** Section 2.10. */
export const policyRules = {
  address,
  network: networks,
  name: nullable(filledString),
  version: nullable(filledString),
  author: nullable(filledString),
  description: nullable(filledString),
  verified: nullable((v) => (typeof v === 'boolean' ? undefined : 'a boolean')),
  policy_info: nullable(object),
  deployed_txn_hash: nullable(bytes32),
  policy_deployed_at: nullable(isoTime),
} as const satisfies Record<string, Rule>

/** Milliseconds; NaN if it is not a time. */
export const ms = (time: unknown): number => Date.parse(String(time))

/** The second member must be null if the first is. */
const needsToBeTold = (row: JsonObject, needed: string, by: string) =>
  expectThat(
    row[by] === null || row[needed] !== null,
    `${needed} of ${row.id}`,
    `null, because ${by} is null`,
    { [needed]: row[needed], [by]: row[by] },
  )

function inStep(row: JsonObject, names: readonly string[]) {
  const present = names.filter((name) => row[name] !== null)
  expectThat(
    present.length === 0 || present.length === names.length,
    `${names.join(' and ')} of ${row.id}`,
    'both null or neither',
    Object.fromEntries(names.map((name) => [name, row[name]])),
  )
}

/**
 * A row of a task list: all fields valid, and fields of events that have not happened are null
 * (sections 2.9 and 3).
 */
export function expectSummary(row: JsonObject, network: string): void {
  expectShape(row, summaryRules, 'the task')
  expectEqual(row.network, network, 'network')
  // A task that never reached the chain may be shown with its time, its block, both or neither.
  needsToBeTold(row, 'task_created_at', 'created_block')
  if (row.task_responded_at === null) {
    expectEqual(row.task_responded_metadata, null, 'task_responded_metadata before a response')
    // Whether a task without a response counts as unchallenged is open (clause 3-11).
    const unchallenged = row.challenge_result === null || row.challenge_result === 'unchallenged'
    const what = 'challenge_result before a response'
    expectThat(unchallenged, what, 'null or unchallenged', row.challenge_result)
  } else {
    const { evaluation_result, policy_id, policy_address } = row
    const told = evaluation_result !== null && policy_id !== null && policy_address !== null
    expectThat(told, 'a task with a response', 'its result and its policy', row)
    expectThat(
      row.task_created_at === null || ms(row.task_created_at) <= ms(row.task_responded_at),
      'the times',
      'created before responded',
      row,
    )
  }
  const { challenge_result, task_challenged_at } = row
  const decided = challenge_result === 'success' || challenge_result === 'unsuccessful'
  expectThat(
    decided === (task_challenged_at !== null),
    'challenge_result and task_challenged_at',
    'the result of a challenge with its time, or neither',
    { challenge_result, task_challenged_at },
  )
}

/** The same for a detail, with the transactions of past events. */
export function expectDetailOfTask(row: JsonObject, network: string): void {
  expectSummary(row, network)
  expectShape(row, detailRules, 'the task')
  needsToBeTold(row, 'task_created_at', 'created_txn_hash')
  needsToBeTold(row, 'created_block', 'created_txn_hash')
  inStep(row, ['task_responded_at', 'responded_txn_hash'])
  inStep(row, ['attestation_spent_at', 'spent_txn_hash'])
  inStep(row, ['task_challenged_at', 'challenged_txn_hash'])
}

export function expectPolicyRow(row: JsonObject, network: string): void {
  expectShape(row, policyRules, 'the policy')
  expectEqual(row.network, network, 'network')
  inStep(row, ['deployed_txn_hash', 'policy_deployed_at'])
}

/** The members of a row that the specification names. */
export const specified = (row: JsonObject, rules: object): JsonObject =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name in rules))

/** Names in a row that are not in the specification, and specified names that are missing. */
export function otherNames(row: JsonObject, rules: object): readonly string[] {
  const known = new Set(Object.keys(rules))
  return Object.keys(row).filter((name) => !known.has(name))
}

export type ChainMoment = { readonly block: number; readonly at: number; readonly hash: string }

/** Block and time of a transaction, which must exist and not have reverted. */
export async function momentOf(t: CheckContext, hash: unknown): Promise<ChainMoment> {
  const chain = t.chain()
  const receipt = await chain
    .getTransactionReceipt({ hash: hash as `0x${string}` })
    .catch(() => undefined)
  expectThat(receipt?.status === 'success', 'the transaction', 'a transaction of the chain', hash)
  const block = await chain.getBlock({ blockNumber: receipt!.blockNumber })
  return {
    block: Number(receipt!.blockNumber),
    at: Number(block.timestamp) * 1000,
    hash: receipt!.transactionHash,
  }
}

/** A time of a row is that of the block of its transaction. */
export async function expectMoment(
  t: CheckContext,
  row: JsonObject,
  time: string,
  transaction: string,
): Promise<ChainMoment> {
  const moment = await momentOf(t, row[transaction])
  expectShape(row, { [time]: isoTime }, 'row')
  expectEqual(ms(row[time]), moment.at, `${time}, in milliseconds,`)
  return moment
}

/**
 * `created_block` of a task created on chain: the specification leaves open whether it is
 * `taskCreatedBlock` of the task, or the block of the transaction.
 */
export function expectCreatedBlock(
  t: CheckContext,
  row: JsonObject,
  { named, mined }: { readonly named: unknown; readonly mined: number },
): void {
  expectThat(
    row.created_block === named || row.created_block === mined,
    'created_block',
    `${named}, named in the task, or ${mined}, the block of its creation`,
    row.created_block,
  )
  observed(t, 'created-block', 'created_block, compared with taskCreatedBlock', row.created_block, {
    taskCreatedBlock: named,
  })
}
