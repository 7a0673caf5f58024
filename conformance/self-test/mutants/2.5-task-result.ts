import { randomUUID } from 'node:crypto'
import { concatHex, type Hex, keccak256, slice, toHex } from 'viem'
import type { Mutant } from './mutant.ts'
import { changedAnswer, changedParams, changedResult, type Json } from './wrappedListeners.ts'

/** Changes the results of successful tasks. */
const successes = (change: (result: Json) => Json) =>
  changedResult('createTask', (result) => (result.status === 'success' ? change(result) : result))

/** Changes the results of failed tasks. */
const failures = (change: (result: Json) => Json) =>
  changedResult('createTask', (result) => (result.status === 'success' ? result : change(result)))

const inTask = (change: (task: Json) => Json) =>
  successes((result) => ({ ...result, task: change(result.task) }))

const inResponse = (change: (response: Json) => Json) =>
  successes((result) => ({ ...result, task_response: change(result.task_response) }))

const without = (name: string) => (value: Json) => {
  const { [name]: _, ...rest } = value
  return rest
}

const renamed = (from: string, to: string) => (value: Json) => ({
  ...without(from)(value),
  [to]: value[from],
})

/** Faults in the members of a task result (section 2.5). */
export const taskResultMutants: readonly Mutant[] = [
  {
    id: 'task.id-uuid',
    fault: 'uses UUIDs as task ids',
    clauses: ['2.5-01'],
    parts: successes((result) => ({ ...result, task_id: randomUUID() })),
  },
  {
    id: 'task.status-capital',
    fault: 'spells the status of a task in upper case',
    clauses: ['2.5-02'],
    parts: changedResult('createTask', (result) => ({
      ...result,
      status: result.status?.toUpperCase(),
    })),
  },
  {
    id: 'task.aggregation-as-text',
    fault: 'returns aggregation_response as a string of JSON',
    clauses: ['2.5-03'],
    parts: successes((result) => ({
      ...result,
      aggregation_response: JSON.stringify(result.aggregation_response),
    })),
  },
  {
    id: 'task.aggregation-on-failure',
    fault: 'returns an empty aggregation_response with a failure',
    clauses: ['2.5-03', '4.2-20'],
    parts: failures((result) => ({ ...result, aggregation_response: {} })),
  },
  {
    id: 'task.digest-left-out',
    fault: 'returns no task_response_digest',
    clauses: ['2.5-04'],
    parts: successes((result) => ({
      ...result,
      aggregation_response: without('task_response_digest')(result.aggregation_response),
    })),
  },
  {
    id: 'task.nonce-left-out',
    fault: 'returns a task without its nonce',
    clauses: ['2.5-05'],
    parts: inTask(without('nonce')),
  },
  {
    id: 'task.threshold-as-share',
    fault: 'returns the threshold in the task as a fraction',
    clauses: ['2.5-05'],
    parts: inTask((task) => ({
      ...task,
      quorumThresholdPercentage: task.quorumThresholdPercentage / 100,
    })),
  },
  {
    id: 'task.quorum-numbers-as-list',
    fault: 'returns quorumNumbers as a list of numbers',
    clauses: ['2.5-06'],
    parts: inTask((task) => ({
      ...task,
      quorumNumbers: [...Buffer.from(task.quorumNumbers.slice(2), 'hex')],
    })),
  },
  {
    id: 'task.response-camel-case',
    fault: 'spells the members of task_response in camelCase',
    clauses: ['2.5-07'],
    parts: inResponse((response) => renamed('policy_id', 'policyId')(response)),
  },
  {
    id: 'task.response-without-signature',
    fault: 'omits the intent signature from task_response',
    clauses: ['2.5-08'],
    parts: inResponse(without('intent_signature')),
  },
  {
    id: 'task.evaluation-result-hex',
    fault: 'returns evaluation_result as hex',
    clauses: ['2.5-09'],
    parts: inResponse((response) => ({
      ...response,
      evaluation_result: toHex(Uint8Array.from(response.evaluation_result)),
    })),
  },
  {
    id: 'task.expire-after-snake-case',
    fault: 'spells expireAfter of policy_config in snake_case',
    clauses: ['2.5-10'],
    parts: inResponse((response) => ({
      ...response,
      policy_config: renamed('expireAfter', 'expire_after')(response.policy_config),
    })),
  },
  {
    id: 'task.old-reference-block',
    fault: 'returns a reference block ten blocks before the one that was read',
    clauses: ['2.5-11'],
    parts: successes((result) => ({
      ...result,
      reference_block: result.reference_block - 10,
      expiration: result.expiration - 10,
      task: { ...result.task, taskCreatedBlock: result.reference_block - 10 },
    })),
  },
  {
    id: 'task.expiration-is-reference-block',
    fault: 'returns the reference block as the expiration',
    clauses: ['2.5-12'],
    parts: successes((result) => ({ ...result, expiration: result.reference_block })),
  },
  {
    id: 'task.calldata-of-another-function',
    fault: 'encodes validate_calldata for a function of another name',
    clauses: ['2.5-13'],
    parts: successes((result) =>
      result.validate_calldata === undefined
        ? result
        : {
            ...result,
            validate_calldata: concatHex([
              slice(keccak256(toHex('validateAttestation(bytes)')), 0, 4),
              slice(result.validate_calldata as Hex, 4),
            ]),
          },
    ),
  },
  {
    id: 'task.calldata-always',
    fault: 'always returns validate_calldata',
    clauses: ['2.5-14', '4.2-18'],
    parts: changedParams('createTask', (params) =>
      typeof params?.include_validate_calldata === 'boolean' ||
      params?.include_validate_calldata === undefined
        ? { ...params, include_validate_calldata: true }
        : params,
    ),
  },
  {
    id: 'task.spend-warnings-left-out',
    fault: 'does not warn of a signed result that the contract would reject',
    clauses: ['4.2-34'],
    parts: successes(without('warnings')),
  },
  {
    id: 'task.spend-warnings-always',
    fault: 'warns for every signed result that it may have expired',
    clauses: ['4.2-34'],
    parts: successes((result) =>
      result.validate_calldata === undefined
        ? result
        : { ...result, warnings: [{ code: 'expired', message: 'It may have expired.' }] },
    ),
  },
  {
    id: 'task.operator-errors-left-out',
    fault: 'does not list the failed operators when the quorum is not reached',
    clauses: ['2.5-15'],
    parts: failures(without('operator_errors')),
  },
  {
    id: 'task.operator-error-is-retryable',
    fault: 'names retryable of an operator error is_retryable',
    clauses: ['2.5-16'],
    parts: failures((result) =>
      result.operator_errors === undefined
        ? result
        : {
            ...result,
            operator_errors: result.operator_errors.map(renamed('retryable', 'is_retryable')),
          },
    ),
  },
  {
    id: 'task.error-object',
    fault: 'returns an empty object as the error of a success',
    clauses: ['2.5-17'],
    parts: successes((result) => ({ ...result, error: {} })),
  },
  {
    id: 'task.timestamp-milliseconds',
    fault: 'returns the timestamp of a task in milliseconds',
    clauses: ['2.5-18'],
    parts: changedResult('createTask', (result) => ({
      ...result,
      timestamp: result.timestamp * 1000,
    })),
  },
  {
    id: 'task.response-own-id',
    fault: 'returns another task id in task_response',
    clauses: ['2.5-20'],
    parts: inResponse((response) => ({ ...response, task_id: keccak256(response.task_id) })),
  },
  {
    id: 'task.id-without-nonce',
    fault: 'computes the task id from client and intent only',
    clauses: ['2.5-25'],
    parts: changedAnswer('createTask', (answer, { call }) => {
      const { task_id } = answer?.result ?? {}
      if (task_id === undefined) return answer
      const { policy_client, intent } = call.params
      const id = keccak256(toHex(JSON.stringify([policy_client, intent])))
      return JSON.parse(JSON.stringify(answer).replaceAll(task_id, id))
    }),
  },
]
