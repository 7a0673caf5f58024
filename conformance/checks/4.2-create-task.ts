import type { Check } from '../core/check.ts'
import { expectEqual, expectObject, isObject, type JsonObject } from '../core/expect.ts'
import { expectSpans } from '../core/expectSpans.ts'
import { decisionOf, responseOfResult } from '../crypto/attestation.ts'
import * as shape from '../kit/assertions/shape.ts'
import { expectShape } from '../kit/assertions/shape.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import {
  acceptedTask,
  createTask,
  expectFailure,
  expectNoSuccess,
  expectTask,
  failureOf,
  newSender,
  resultOf,
  taskParams,
  transferIntent,
  unlistedRecipient,
} from '../kit/scenarios/requests.ts'
import { createTaskSubject } from '../kit/scenarios/subjects.ts'

/** Section 4.2: a task from intent to signed decision. */
const { needs } = createTaskSubject

const echoed = (
  id: string,
  title: string,
  clauses: readonly string[],
  change: Record<string, unknown>,
  expected: (task: JsonObject) => readonly [observed: unknown, expected: unknown],
): Check => ({
  id,
  title,
  clauses,
  level: 'must',
  needs,
  run: async (t) => {
    const result = expectTask(await createTask(t, taskParams(t, fixture.simple, change)))
    expectObject(result.task, 'task')
    const [observed, wanted] = expected(result.task)
    expectEqual(observed, wanted, `task with ${JSON.stringify(change)}`)
  },
})

export const createTaskChecks: readonly Check[] = [
  {
    // 4.2-01: A key with RpcRead may create tasks.
    // 4.2-02: The response is sent when the task has ended, and is final.
    // 4.2-05: intent_signature is optional for a policy that does not consume it.
    // 4.2-19: A success has aggregation_response, task, task_response, reference_block and
    //   expiration.
    // 1-01: An intent submitted for a policy client is evaluated against that client’s policy.
    // 1-02: Evaluation sees the policy parameters that are configured for the client.
    id: 'rpc.createTask.allow',
    title: 'a task that the policy allows ends as success with the decision allow',
    clauses: ['4.2-01', '4.2-02', '4.2-05', '4.2-19', '1-01', '1-02'],
    level: 'must',
    needs,
    run: async (t) => {
      const { result } = await acceptedTask(t)
      expectEqual(decisionOf(responseOfResult(result).evaluationResult), true, 'the decision')
    },
  },
  {
    // 4.2-25: A policy that denies still gives a signed task: the decision is in the result.
    // 1-01: An intent submitted for a policy client is evaluated against that client’s policy.
    // 1-25: A policy with an empty deny set allows; one with a reason in deny does not.
    id: 'rpc.createTask.deny',
    title: 'a task that the policy denies is also signed, with the decision deny',
    clauses: ['4.2-25', '1-01', '1-25'],
    level: 'must',
    needs,
    twin: 'the same transfer to a recipient on the list',
    run: async (t) => {
      await t.twin(async () => {
        const { result } = await acceptedTask(t)
        expectEqual(decisionOf(responseOfResult(result).evaluationResult), true, 'the decision')
      })
      const intent = transferIntent(t, { to: unlistedRecipient })
      const result = expectTask(await createTask(t, taskParams(t, fixture.simple, { intent })))
      expectEqual(decisionOf(responseOfResult(result).evaluationResult), false, 'the decision')
    },
  },
  {
    // 1-02: Evaluation sees the policy parameters that are configured for the client.
    // 1-23: data.params is the configuration of the policy client.
    id: 'rpc.createTask.params-decide',
    title: 'the configured parameters decide: the maximum is allowed, one wei more is not',
    clauses: ['1-02', '1-23'],
    level: 'must',
    needs,
    twin: 'the same transfer of the maximum',
    run: async (t) => {
      const decide = async (value: bigint) => {
        const intent = transferIntent(t, { from: newSender(t), value: `0x${value.toString(16)}` })
        const result = expectTask(await createTask(t, taskParams(t, fixture.simple, { intent })))
        return decisionOf(responseOfResult(result).evaluationResult)
      }
      const maximum = 10n ** 18n
      await t.twin(async () => expectEqual(await decide(maximum), true, 'at the maximum'))
      expectEqual(await decide(maximum + 1n), false, 'one wei above it')
    },
  },
  {
    // 4.2-02: The response is sent when the task has ended, and is final.
    // 2.5-02: status is a TaskStatus.
    id: 'rpc.createTask.final',
    title: 'the response is final: never pending or processing, and contains the signatures',
    clauses: ['4.2-02', '2.5-02'],
    level: 'must',
    needs,
    run: async (t) => {
      const result = expectTask(await createTask(t, taskParams(t)))
      expectShape(result, { aggregation_response: shape.object }, 'result')
    },
  },
  echoed(
    // 4.2-11: quorum_threshold_percentage is optional and a number from 0 to 100.
    // 2.5-05: task has taskId, policyClient, nonce, taskCreatedBlock and quorumThresholdPercentage.
    'rpc.createTask.option.threshold',
    'the threshold is in the task',
    ['4.2-11', '2.5-05'],
    { quorum_threshold_percentage: 34 },
    (task) => [Number(task.quorumThresholdPercentage), 34],
  ),
  echoed(
    // 4.2-11: quorum_threshold_percentage is optional and a number from 0 to 100.
    'rpc.createTask.option.threshold-zero',
    'a threshold of 0 is accepted',
    ['4.2-11'],
    { quorum_threshold_percentage: 0 },
    (task) => [Number(task.quorumThresholdPercentage), 0],
  ),
  echoed(
    'rpc.createTask.option.threshold-hundred',
    'a threshold of 100 is accepted when all sign',
    ['4.2-11'],
    { quorum_threshold_percentage: 100 },
    (task) => [Number(task.quorumThresholdPercentage), 100],
  ),
  echoed(
    // 4.2-10: quorum_number is optional, hex bytes, and appears in task as quorumNumbers.
    // 2.5-06: task has intent, intentSignature, wasmArgs and quorumNumbers.
    'rpc.createTask.option.quorum-number',
    'the quorum numbers are in the task',
    ['4.2-10', '2.5-06'],
    { quorum_number: '0x00' },
    (task) => [task.quorumNumbers, '0x00'],
  ),
  echoed(
    // 4.2-14: wasm_args is optional, reaches the oracle, and appears in task.
    // 2.5-06: task has intent, intentSignature, wasmArgs and quorumNumbers.
    'rpc.createTask.option.wasm-args',
    'wasm_args is in the task',
    ['4.2-14', '2.5-06'],
    { wasm_args: '0x7b2261223a317d' },
    (task) => [task.wasmArgs, '0x7b2261223a317d'],
  ),
  echoed(
    // 4.2-15: timeout is optional, in seconds, and limits the duration of the call.
    'rpc.createTask.option.timeout',
    'a timeout of 20 seconds is accepted',
    ['4.2-15'],
    { timeout: 20 },
    (task) => [typeof task.taskId, 'string'],
  ),
  echoed(
    // 4.2-17: proof_cid is optional and a string.
    'rpc.createTask.option.proof-cid',
    'a proof_cid is accepted',
    ['4.2-17'],
    { proof_cid: 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy' },
    (task) => [typeof task.taskId, 'string'],
  ),
  echoed(
    // 4.2-05: intent_signature is optional for a policy that does not consume it.
    // 2.5-06: task has intent, intentSignature, wasmArgs and quorumNumbers.
    'rpc.createTask.option.signature-unneeded',
    'an intent signature is accepted and included in a task that does not use it',
    ['4.2-05', '2.5-06'],
    { intent_signature: `0x${'5a'.repeat(64)}1b` },
    (task) => [task.intentSignature, `0x${'5a'.repeat(64)}1b`],
  ),
  {
    // 4.2-15: timeout is optional, in seconds, and limits the duration of the call.
    // 4.2-20: A failure has status failed, aggregation_response null, error and timestamp.
    // 7.3-13: The error of a task past its timeout is "Task timeout".
    id: 'rpc.createTask.timeout',
    title: 'a timeout of a hundredth of a second ends the call with Task timeout, without delay',
    clauses: ['4.2-15', '4.2-20', '7.3-13'],
    level: 'must',
    needs,
    twin: 'the same task with the default timeout',
    run: async (t) => {
      await t.twin(() => acceptedTask(t))
      const started = performance.now()
      const answer = await createTask(t, taskParams(t, fixture.simple, { timeout: 0.001 }))
      const span = { from: started, to: performance.now(), sent: true }
      const observed = `${((span.to - started) / 1000).toFixed(1)} s`
      const texts = { what: 'the time of the response', expected: 'soon', observed }
      expectSpans([span], { most: 8_000 }, texts)
      expectNoSuccess(answer, /Task timeout/i)
      const result = resultOf(answer)
      if (isObject(result)) {
        expectShape(
          result,
          { status: shape.oneOf('timeout', 'failed'), timestamp: shape.unixSeconds },
          'result',
        )
        expectEqual(result.aggregation_response ?? null, null, 'aggregation_response')
      }
    },
  },
  {
    // 7.3-12: The error for a failed read of the chain is "Contract read failed: {details}".
    // 7.2-02: A contract error is -32616 (ContractError), or a failed result with its message.
    id: 'rpc.createTask.unknown-client',
    title: 'a policy client that is not a contract is refused with that reason',
    clauses: ['7.3-12', '7.2-02'],
    level: 'must',
    needs,
    twin: 'the same task for a client that is deployed',
    run: async (t) => {
      await t.twin(() => acceptedTask(t))
      const answer = await createTask(
        t,
        taskParams(t, fixture.simple, { policy_client: `0x${'dead'.repeat(10)}` }),
      )
      expectFailure(answer, /Contract|-32616|policy client/i)
      t.observe(`an unknown client: ${failureOf(answer)}`)
    },
  },
  {
    // 7.3-12: The error for a failed read of the chain is "Contract read failed: {details}".
    // 7.2-02: A contract error is -32616 (ContractError), or a failed result with its message.
    id: 'rpc.createTask.contract-without-policy',
    title: 'another contract as policy client is refused with that reason',
    clauses: ['7.3-12', '7.2-02'],
    level: 'must',
    needs,
    twin: 'the same task for a policy client',
    run: async (t) => {
      await t.twin(() => acceptedTask(t))
      const manager = t.target.chain?.taskManager
      const answer = await createTask(t, taskParams(t, fixture.simple, { policy_client: manager }))
      expectFailure(answer, /Contract|-32616|policy client/i)
    },
  },
  {
    // 4.2-31: A key with RpcRead may create tasks for a policy client that its owner addresses do
    //   not own.
    // 5.1-02: RpcRead allows task submission, simulation and reads.
    id: 'rpc.createTask.any-read-key',
    title: 'a key that owns nothing may submit tasks for the client',
    clauses: ['4.2-31', '5.1-02'],
    level: 'must',
    needs: [...needs, 'key:stranger'],
    run: async (t) => {
      expectTask(await createTask(t, taskParams(t), { key: 'stranger' }))
    },
  },
  {
    // 4.2-27: The defaults of quorum_number and quorum_threshold_percentage.
    id: 'rpc.createTask.observed.defaults',
    title: 'observed: the defaults of quorum numbers and threshold',
    clauses: ['4.2-27'],
    level: 'may',
    needs,
    run: async (t) => {
      const { result } = await acceptedTask(t)
      const task = result.task as JsonObject
      t.observe(
        `default quorumNumbers ${task.quorumNumbers}, threshold ${task.quorumThresholdPercentage}`,
      )
    },
  },
]
