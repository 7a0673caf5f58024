import type { Check } from '../core/check.ts'
import { expectEqual, expectThat, isObject, type JsonObject } from '../core/expect.ts'
import { expectExpiration } from '../kit/assertions/expiration.ts'
import { expectHex } from '../kit/assertions/hex.ts'
import * as shape from '../kit/assertions/shape.ts'
import { expectShape } from '../kit/assertions/shape.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { acceptedTask, createTask, expectTask, taskParams } from '../kit/scenarios/requests.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'

/** Section 2.5: the members of a task result. */
const { needs } = createTaskSubject

const shaped = (
  id: string,
  clauses: readonly string[],
  path: readonly string[],
  rules: Readonly<Record<string, shape.Rule>>,
): Check => ({
  id,
  title: `${path.join('.') || 'the result'} has ${Object.keys(rules).join(', ')} with their types`,
  clauses,
  level: 'must',
  profiles: ['tasks'],
  needs,
  run: async (t) => {
    const { result } = await acceptedTask(t)
    const value = path.reduce<unknown>((at, part) => (at as JsonObject | undefined)?.[part], result)
    expectShape(value, rules, ['result', ...path].join('.'))
  },
})

/** Unspecified members, for the record. */
const beyond = (value: unknown, listed: readonly string[]): string =>
  Object.keys(isObject(value) ? value : {})
    .filter((name) => !listed.includes(name))
    .join(', ') || 'none'

export const taskResult: readonly Check[] = [
  shaped(
    // 2.5-01: task_id is 32 bytes as Data.
    // 2.5-02: status is a TaskStatus.
    // 2.5-17: error is a string or null.
    // 2.5-18: timestamp is in unix seconds.
    // 2.1-15: Quantity, Data and Address have the same forms in results.
    // 4.2-19: A success has aggregation_response, task, task_response, reference_block and
    //   expiration.
    'rpc.taskResult.shape.top',
    ['2.5-01', '2.5-02', '2.5-17', '2.5-18', '2.1-15', '4.2-19'],
    [],
    {
      task_id: shape.bytes32,
      status: shape.oneOf('success'),
      aggregation_response: shape.object,
      task: shape.object,
      task_response: shape.object,
      reference_block: shape.natural,
      expiration: shape.natural,
      error: shape.optional(shape.isNull),
      timestamp: shape.unixSeconds,
    },
  ),
  // 2.5-03: aggregation_response is an object or null.
  // 2.5-04: aggregation_response holds task_response_digest and non_signer_stakes_and_signature.
  shaped('rpc.taskResult.shape.aggregation', ['2.5-03', '2.5-04'], ['aggregation_response'], {
    task_response_digest: shape.bytes32,
    non_signer_stakes_and_signature: shape.object,
  }),
  // 2.5-05: task has taskId, policyClient, nonce, taskCreatedBlock and quorumThresholdPercentage.
  // 2.5-06: task has intent, intentSignature, wasmArgs and quorumNumbers.
  // 2.1-15: Quantity, Data and Address have the same forms in results.
  shaped('rpc.taskResult.shape.task', ['2.5-05', '2.5-06', '2.1-15'], ['task'], {
    taskId: shape.bytes32,
    policyClient: shape.address,
    nonce: shape.count,
    taskCreatedBlock: shape.count,
    quorumThresholdPercentage: shape.count,
    intent: shape.object,
    intentSignature: shape.data,
    wasmArgs: shape.data,
    quorumNumbers: shape.data,
  }),
  shaped(
    // 2.5-07: task_response has task_id, policy_client, policy_id and policy_address.
    // 2.5-08: task_response has intent, intent_signature and policy_task_data.
    // 2.5-09: task_response.evaluation_result is an array of numbers.
    // 2.1-15: Quantity, Data and Address have the same forms in results.
    'rpc.taskResult.shape.task-response',
    ['2.5-07', '2.5-08', '2.5-09', '2.1-15'],
    ['task_response'],
    {
      task_id: shape.bytes32,
      policy_client: shape.address,
      policy_id: shape.bytes32,
      policy_address: shape.address,
      intent: shape.object,
      intent_signature: shape.data,
      evaluation_result: shape.byteArray,
      policy_task_data: shape.object,
      policy_config: shape.object,
    },
  ),
  // 2.5-10: task_response.policy_config contains expireAfter.
  shaped('rpc.taskResult.shape.policy-config', ['2.5-10'], ['task_response', 'policy_config'], {
    expireAfter: shape.natural,
  }),
  shaped(
    // 2.4-01: policyId of policy_task_data is 32 bytes as hex.
    // 2.4-02: policyAddress of policy_task_data is an address.
    // 2.4-03: policy of policy_task_data is bytes as hex and may be 0x.
    // 2.4-04: policyData of policy_task_data is an array of entries.
    'rpc.taskResult.shape.policy-task-data',
    ['2.4-01', '2.4-02', '2.4-03', '2.4-04'],
    ['task_response', 'policy_task_data'],
    {
      policyId: shape.bytes32,
      policyAddress: shape.address,
      policy: shape.data,
      policyData: shape.array,
    },
  ),
  {
    // 2.5-20: The same task id appears in the result, in task and in task_response.
    id: 'rpc.taskResult.one-task-id',
    title: 'result, task and task_response name the same task, client and policy',
    clauses: ['2.5-20'],
    level: 'must',
    needs,
    run: async (t) => {
      const { result, params } = await acceptedTask(t)
      const task = result.task as JsonObject
      const response = result.task_response as JsonObject
      expectEqual([task.taskId, response.task_id], [result.task_id, result.task_id], 'the task ids')
      const client = t.client(fixture.simple)
      expectHex(task.policyClient, params.policy_client, 'task.policyClient')
      expectHex(response.policy_client, params.policy_client, 'task_response.policy_client')
      expectHex(response.policy_id, client.policyId, 'task_response.policy_id')
      expectHex(response.policy_address, client.policyAddress, 'task_response.policy_address')
    },
  },
  {
    // 2.5-11: reference_block is the number of the block when the response was prepared.
    // 2.5-12: expiration is reference_block plus policy_config.expireAfter.
    id: 'rpc.taskResult.expiration',
    title:
      'expiration is reference_block plus expireAfter, and the reference block is near the head',
    clauses: ['2.5-11', '2.5-12'],
    level: 'must',
    needs,
    run: async (t) => {
      const before = Number(await t.chain().getBlockNumber({ cacheTime: 0 }))
      const result = expectTask(await createTask(t, taskParams(t)))
      const after = Number(await t.chain().getBlockNumber({ cacheTime: 0 }))
      const reference = Number(result.reference_block)
      const config = (result.task_response as JsonObject).policy_config as JsonObject
      expectExpiration(result.expiration, reference, Number(config.expireAfter))
      expectThat(
        reference >= before - 5 && reference <= after,
        'reference_block',
        `a block from ${before - 5} to ${after}`,
        reference,
      )
      expectEqual(config.expireAfter, t.client(fixture.simple).expireAfter, 'expireAfter')
    },
  },
  {
    // 2.5-18: timestamp is in unix seconds.
    id: 'rpc.taskResult.timestamp',
    title: 'timestamp is the time of the response in seconds',
    clauses: ['2.5-18'],
    level: 'must',
    needs,
    run: async (t) => {
      const result = expectTask(await createTask(t, taskParams(t)))
      const off = Math.abs(Number(result.timestamp) - Date.now() / 1000)
      // Ten minutes: clocks may differ, but far less than milliseconds differ from seconds.
      expectThat(off < 600, 'timestamp', 'about now, in seconds', result.timestamp)
    },
  },
  {
    // 2.5-14: validate_calldata is present only when it was requested.
    // 4.2-18: include_validate_calldata is optional, boolean, and false by default.
    id: 'rpc.taskResult.no-calldata-unasked',
    title: 'validate_calldata is present only if it was requested',
    clauses: ['2.5-14', '4.2-18'],
    level: 'must',
    needs,
    twin: 'the same task with include_validate_calldata true',
    run: async (t) => {
      await t.twin(async () => {
        const { result } = await acceptedTask(t)
        expectShape(result, { validate_calldata: shape.data }, 'result')
      })
      for (const change of [{}, { include_validate_calldata: false }]) {
        const result = expectTask(await createTask(t, taskParams(t, fixture.simple, change)))
        expectEqual(result.validate_calldata ?? null, null, 'validate_calldata')
      }
    },
  },
  {
    // 2.5-25: No two tasks have the same id.
    // 4.1-16: Of concurrent calls each receives the response with its own id.
    id: 'rpc.taskResult.unique-task-ids',
    title: 'twelve concurrent tasks have twelve task ids',
    clauses: ['2.5-25', '4.1-16'],
    level: 'must',
    needs,
    run: async (t) => {
      const tasks = Array.from({ length: 12 }, () => createTask(t, taskParams(t)))
      const ids = (await Promise.all(tasks)).map((answer) => expectTask(answer).task_id)
      expectEqual(new Set(ids).size, ids.length, 'the number of different task ids')
    },
  },
  {
    // 2.5-21: Further members of aggregation_response, task and task_response.
    // 2.5-26: Where signature_data appears: in task_response, at the top level, or both.
    id: 'rpc.taskResult.observed.members',
    title: 'observed: unspecified members',
    clauses: ['2.5-21', '2.5-26'],
    level: 'may',
    needs,
    run: async (t) => {
      const { result } = await acceptedTask(t)
      const aggregation = ['task_response_digest', 'non_signer_stakes_and_signature']
      t.observe(
        `aggregation_response beyond 2.5: ${beyond(result.aggregation_response, aggregation)}`,
      )
      const inTask =
        'taskId policyClient nonce taskCreatedBlock quorumThresholdPercentage intent intentSignature wasmArgs quorumNumbers'
      t.observe(`task beyond 2.5: ${beyond(result.task, inTask.split(' '))}`)
      const inResponse =
        'task_id policy_client policy_id policy_address intent intent_signature evaluation_result policy_task_data policy_config'
      t.observe(`task_response beyond 2.5: ${beyond(result.task_response, inResponse.split(' '))}`)
      const inside = (result.task_response as JsonObject).signature_data !== undefined
      const outside = result.signature_data !== undefined
      t.observe(`signature_data in task_response: ${inside}, at the top level: ${outside}`)
    },
  },
]
