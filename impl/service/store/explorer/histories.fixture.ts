import fc from 'fast-check'
import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import type { TaskView } from 'polgate-protocol/task.ts'
import type { Database } from '../database.ts'
import type { ChainEvent, IndexedBlock } from './chainEvent.ts'
import type { EndedTask } from './records.ts'

const hex = (n: number, bytes: number): `0x${string}` =>
  `0x${n.toString(16).padStart(2 * bytes, '0')}`
/** Ids distributed like hashes, different for each chain: records of all chains share a table. */
export const taskIdOf = (chainId: number, n: number): Bytes32 =>
  `0x${((n * 0x9e3779b1) % 2 ** 32).toString(16).padStart(8, '0')}${hex(chainId, 28).slice(2)}`
export const policyAddressOf = (n: number): Address => hex(0xabcd00 + ((n * 7) % 5), 20)
export const policyIdOf = (n: number): Bytes32 => hex(0xef00 + ((n * 7) % 5), 32)
/** The block that a task names is part of its id: it is the same in all sources. */
export const namedBlockOf = (task: number): number => 3 + ((task * 5) % 8)
/** A task is admitted once, however often its record changes. */
const admittedAtOf = (task: number): number => 900_000 + ((task * 137_041) % 500_000)
export const timeOfBlock = (block: number): number => 1_000 + 10 * block

export type Step =
  | { readonly do: 'append'; readonly blocks: readonly (readonly Happening[])[] }
  | { readonly do: 'rollBack'; readonly blocks: number }
  | { readonly do: 'record'; readonly task: number; readonly record: Recorded }
  | { readonly do: 'absorb'; readonly limit: number }

type Happening = {
  readonly kind: ChainEvent['kind']
  readonly task: number
  readonly policy: number
  readonly flag: boolean
}
type Recorded = {
  readonly end: 'failed' | 'timeout' | 'queued' | 'posted' | 'postingFailed' | 'unposted'
  readonly policy: number
  readonly errors: boolean
  readonly settled: boolean
}

const task = fc.nat({ max: 7 })
const policy = fc.nat({ max: 2 })
/** Any event in any order: the index must not depend on what contracts allow. */
const happening: fc.Arbitrary<Happening> = fc.record({
  kind: fc.constantFrom(
    'created',
    'created',
    'responded',
    'responded',
    'spent',
    'challenged',
    'policyDeployed',
  ),
  task,
  policy,
  flag: fc.boolean(),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      blocks: fc.array(fc.array(happening, { maxLength: 5 }), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('rollBack' as const), blocks: fc.nat({ max: 6 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('record' as const),
      task,
      record: fc.record({
        end: fc.constantFrom('failed', 'timeout', 'queued', 'posted', 'postingFailed', 'unposted'),
        policy,
        errors: fc.boolean(),
        settled: fc.boolean(),
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('absorb' as const),
      limit: fc.integer({ min: 1, max: 5 }),
    }),
  },
)
export const steps = fc.array(step, { minLength: 4, maxLength: 12, size: 'max' })

function eventOf(
  chainId: number,
  { kind, task, policy, flag }: Happening,
  blockNumber: number,
  logIndex: number,
  salt: number,
): ChainEvent {
  const at = { blockNumber, logIndex, transactionHash: hex(blockNumber * 1000 + logIndex, 32) }
  const taskId = taskIdOf(chainId, task)
  const policyClient = hex(0xc0 + task, 20)
  switch (kind) {
    case 'created':
      return {
        ...at,
        kind,
        taskId,
        policyClient,
        sender: hex(salt, 20),
        createdBlock: namedBlockOf(task),
        intent: { salt, at: '\u0000' },
      }
    case 'responded':
      return {
        ...at,
        kind,
        taskId,
        policyId: policyIdOf(policy),
        policyAddress: policyAddressOf(policy),
        evaluationResult: flag ? '0x01' : '0x',
        policyConfig: { salt, params: '\ud800' },
        policyTaskData: { salt },
        certificate: { responded_block: blockNumber, reference_block: namedBlockOf(task) },
      }
    case 'spent':
      return { ...at, kind, taskId, policyClient, allowed: flag }
    case 'challenged':
      return { ...at, kind, taskId, challenger: hex(salt, 20), successful: flag }
    case 'policyDeployed':
      return { ...at, kind, policy: policyAddressOf(policy), info: { salt, version: 'a\u0000' } }
  }
}

/** Blocks from `from` on with their events; only those that an indexer has to know. */
export function batchOf(
  chainId: number,
  from: number,
  happenings: readonly (readonly Happening[])[],
  salt: number,
) {
  const to = from + happenings.length - 1
  const blocks: IndexedBlock[] = happenings.flatMap((inBlock, i) =>
    inBlock.length > 0 || from + i === to
      ? [{ number: from + i, hash: hex(salt * 1000 + i, 32), timestamp: timeOfBlock(from + i) }]
      : [],
  )
  const events = happenings.flatMap((inBlock, i) =>
    inBlock.map((one, logIndex) => eventOf(chainId, one, from + i, logIndex, salt)),
  )
  return { from, to, blocks, events }
}

const response = (chainId: number, task: number, policy: number) =>
  ({
    task_id: taskIdOf(chainId, task),
    policy_id: policyIdOf(policy),
    policy_address: policyAddressOf(policy),
    evaluation_result: [1, 2],
    policy_config: { policyParams: '0x01', expireAfter: 5 },
    policy_task_data: { policy: '0xab' },
  }) as unknown as NonNullable<NonNullable<EndedTask['result']>['task_response']>

/** A task as a gateway stores it when it ends. */
export function endedTaskOf(
  chainId: number,
  task: number,
  { end, policy, errors, settled }: Recorded,
): EndedTask {
  const failed = end === 'failed' || end === 'timeout'
  return {
    id: taskIdOf(chainId, task),
    policyClient: hex(0xc0 + task, 20),
    status: failed ? end : 'success',
    request: {
      intent: { from: hex(0xf0 + task, 20), chain_id: '0x7a69', function_signature: '0x' },
    },
    result: {
      status: failed ? end : 'success',
      aggregation_response: null,
      timestamp: 1,
      // A task that ended before its gateway read the chain has block 0.
      task: { taskCreatedBlock: failed && !settled ? 0 : namedBlockOf(task) } as TaskView,
      ...(failed ? {} : { task_response: response(chainId, task, policy) }),
    },
    error: failed ? `ended as ${end}` : null,
    operatorErrors: errors ? [{ message: 'trap \u0000' }] : null,
    createdAt: new Date(admittedAtOf(task)),
    policyId: failed && settled ? policyIdOf(policy) : null,
    policyAddress: failed && settled ? policyAddressOf(policy) : null,
    referenceBlock: null,
    posting: end === 'queued' || end === 'posted' ? end : end === 'postingFailed' ? 'failed' : null,
    postingError: end === 'postingFailed' ? 'no gas' : null,
  }
}

/** Writes as the gateway does: a changed task has to be read again. */
export const insertEndedTask = (database: Database, chainId: number, task: EndedTask) =>
  database.query(
    `insert into tasks (id, policy_client, intent_hash, nonce, status, method, api_key_id, request,
         deadline, created_at, updated_at, finished_at, result, error, operator_errors, chain_id,
         posting, posting_error, policy_id, policy_address)
       values ($1, $2, $1, 0, $3, 'createTask', 'key', $4, $5, $5, $5, $5, $6, $7, $8, $9, $10, $11,
         $12, $13)
       on conflict (id) do update set status = excluded.status, result = excluded.result,
         error = excluded.error, operator_errors = excluded.operator_errors,
         created_at = excluded.created_at, finished_at = excluded.finished_at,
         policy_id = excluded.policy_id, policy_address = excluded.policy_address, posting = excluded.posting,
         posting_error = excluded.posting_error, explored_at = null`,
    [
      task.id,
      task.policyClient,
      task.status,
      JSON.stringify(task.request),
      task.createdAt,
      JSON.stringify(task.result),
      task.error,
      task.operatorErrors === null ? null : JSON.stringify(task.operatorErrors),
      chainId,
      task.posting,
      task.postingError,
      task.policyId,
      task.policyAddress,
    ],
  )
