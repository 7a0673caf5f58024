import { type Hex, isHex } from 'viem'
import { anyIntent } from '../arbitraries/intent.ts'
import {
  type Attestation,
  decisionOf,
  responseOfResult,
  taskOfResult,
} from '../crypto/attestation.ts'
import { taskIdOf } from '../crypto/taskId.ts'
import { expectDecision } from '../lab/contract.ts'
import { decided, decidedEqual } from '../lab/decided.ts'
import { fixture } from '../lab/fixtures.ts'
import { heldTask, heldTaskNeeds, slowTask } from '../lab/heldTask.ts'
import {
  acceptedTask,
  chainIdOf,
  createTask,
  failureOf,
  freshSender,
  taskParams,
  transferIntent,
} from '../lab/requests.ts'
import { sendTaskSubject } from '../lab/subjects.ts'
import {
  dataOf,
  endOf,
  expectSent,
  followTask,
  sendTask,
  subscribe,
  topicOf,
  withSocket,
} from '../lab/updates.ts'
import { pause, silenceMs } from '../lab/webhooks.ts'
import type { Check } from '../runner/check.ts'
import type { CheckContext } from '../runner/context.ts'
import {
  expectEqual,
  expectMatch,
  expectResultObject,
  expectThat,
  isObject,
  type JsonObject,
} from '../runner/expect.ts'
import { checkProperty } from '../runner/property.ts'
import * as shape from '../wire/shape.ts'
import { expectShape } from '../wire/shape.ts'

/** Section 4.3: a task that is submitted, and ends elsewhere. */
const { needs } = sendTaskSubject
const followed = [...needs, 'websocket'] as const
const somebodyElse = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'

/** What the last update of a task holds: as createTask would answer (decision, open in the text). */
const resultOfTask = async (t: CheckContext, params: unknown): Promise<JsonObject> => {
  const { end } = await followTask(t, params)
  const { result } = dataOf(end)
  return isObject(result) ? result : {}
}

/** Everything that is said of a task until its end. */
const toldOf = (t: CheckContext, taskId: string): Promise<string> =>
  withSocket(t, async (socket) => {
    subscribe(socket, topicOf(t, taskId))
    await endOf(socket, taskId)
    await pause(silenceMs)
    return socket.frames.map(({ text }) => text).join(' ')
  })

/** The submission is accepted; what stands in the task is held against the reference alone. */
const option = (
  name: string,
  clause: string,
  change: Record<string, unknown>,
  expected: (task: JsonObject) => readonly [observed: unknown, expected: unknown],
): Check => ({
  id: `rpc.sendTask.option.${name}`,
  title: `sendTask takes ${Object.keys(change)[0]}, with the meaning it has for createTask`,
  clauses: [clause, '4.3-01'],
  level: 'must',
  needs: followed,
  run: async (t) => {
    const result = await resultOfTask(t, taskParams(t, fixture.simple, change))
    const task = isObject(result.task) ? result.task : {}
    const [observed, wanted] = expected(task)
    decidedEqual(t, observed, wanted, `the task with ${JSON.stringify(change)}`)
  },
})

const attestationOf = (result: JsonObject): Attestation => {
  const response = result.task_response as JsonObject | undefined
  const signatureData = response?.signature_data ?? result.signature_data
  expectThat(isHex(signatureData), 'signature_data', 'hex', signatureData ?? 'absent')
  return { task: taskOfResult(result), response: responseOfResult(result), signatureData }
}

export const sendTaskChecks: readonly Check[] = [
  {
    id: 'rpc.sendTask.result',
    title: 'sendTask answers with task_id, subscription_topic, message and timestamp',
    clauses: ['4.3-10', '4.3-11', '4.3-12', '4.3-13', '4.3-01'],
    level: 'must',
    needs,
    run: async (t) => {
      const result = expectResultObject(await sendTask(t, taskParams(t)))
      const number: shape.Rule = (v) => (typeof v === 'number' ? undefined : 'a number')
      expectShape(
        result,
        {
          task_id: shape.bytes32,
          subscription_topic: shape.string,
          message: shape.string,
          timestamp: number,
        },
        'result',
      )
      expectEqual(
        String(result.subscription_topic).toLowerCase(),
        topicOf(t, String(result.task_id)).toLowerCase(),
        'subscription_topic',
      )
    },
  },
  {
    id: 'rpc.sendTask.observed.timestamp',
    title: 'observed: the unit of timestamp',
    clauses: ['4.3-15'],
    level: 'may',
    needs,
    run: async (t) => {
      const { timestamp } = expectResultObject(await sendTask(t, taskParams(t)))
      const now = Date.now() / 1000
      const near = Number.isInteger(timestamp) && Math.abs(Number(timestamp) - now) < 300
      decided(t, near, 'timestamp', 'unix seconds of now', timestamp)
    },
  },
  {
    id: 'rpc.sendTask.at-once',
    title: 'the answer comes while the task is under way, long before its end',
    clauses: ['4.3-02'],
    level: 'must',
    needs: heldTaskNeeds,
    exclusive: true,
    run: async (t) => {
      const { answeredMs, endedMs } = await slowTask(t)
      expectThat(
        answeredMs < endedMs / 2,
        'the time of the answer',
        `much less than the ${Math.round(endedMs)} ms of the task`,
        `${Math.round(answeredMs)} ms`,
      )
    },
  },
  {
    id: 'rpc.sendTask.updates',
    title: 'a task that was sent is followed on the WebSocket to its success',
    clauses: ['4.3-14', '4.11-01', '3-03'],
    level: 'must',
    needs: followed,
    run: async (t) => {
      const { end } = await followTask(t, taskParams(t))
      expectEqual(dataOf(end).status, 'success', 'the status at the end')
    },
  },
  {
    id: 'rpc.sendTask.attested',
    title: 'the last update carries an attestation that the contract takes, as createTask gives it',
    clauses: ['6.1-21'],
    level: 'may',
    needs: followed,
    run: async (t) => {
      const result = await resultOfTask(t, taskParams(t))
      if (!t.target.reference && !isObject(result.task_response))
        return t.observe(`the result has the members ${Object.keys(result).join(', ')}`)
      const attestation = attestationOf(result)
      expectEqual(decisionOf(attestation.response.evaluationResult), true, 'the decision')
      await expectDecision(t, attestation, true)
      const { result: created } = await acceptedTask(t)
      const { validate_calldata: _, ...members } = created
      decidedEqual(t, Object.keys(result).sort(), Object.keys(members).sort(), 'its members')
    },
  },
  {
    id: 'rpc.sendTask.denied',
    title: 'a task that the policy denies is signed all the same, its decision is to deny',
    clauses: ['6.1-21', '4.3-17'],
    level: 'may',
    needs: followed,
    twin: 'the same transfer to a recipient on the list',
    run: async (t) => {
      const decide = async (change: { to?: Hex }) => {
        const intent = transferIntent(t, change)
        const result = await resultOfTask(t, taskParams(t, fixture.simple, { intent }))
        if (!t.target.reference && !isObject(result.task_response)) return undefined
        const attestation = attestationOf(result)
        const decision = decisionOf(attestation.response.evaluationResult)
        await expectDecision(t, attestation, decision === true)
        return decision
      }
      await t.twin(async () => decidedEqual(t, await decide({}), true, 'a listed recipient'))
      decidedEqual(t, await decide({ to: somebodyElse }), false, 'another recipient')
    },
  },
  {
    id: 'rpc.sendTask.task-id',
    title: 'the task id is the hash of chain, client, intent and nonce, whichever method was used',
    clauses: ['4.3-17'],
    level: 'may',
    needs: followed,
    run: async (t) => {
      const params = taskParams(t, fixture.simple, {
        intent: transferIntent(t, { from: freshSender(t) }),
      })
      const first = await followTask(t, params)
      const created = expectResultObject(await createTask(t, params))
      const again = await followTask(t, params)
      const { intent } = taskOfResult(created)
      const idFor = (nonce: number) =>
        taskIdOf({ chainId: chainIdOf(t), policyClient: params.policy_client, intent, nonce })
      const nonce = Number((created.task as JsonObject).nonce)
      decidedEqual(
        t,
        [first.taskId, created.task_id, again.taskId],
        [idFor(nonce - 1), idFor(nonce), idFor(nonce + 1)],
        'the ids of one intent, sent, created and sent',
      )
    },
  },
  {
    id: 'rpc.sendTask.duplicate',
    title: 'while a task is under way, the same intent is refused as TaskAlreadyExists',
    clauses: ['7.5-01'],
    level: 'must',
    needs: heldTaskNeeds,
    exclusive: true,
    twin: 'the first submission, which is accepted',
    run: async (t) => {
      const held = await heldTask(t)
      await t.twin(async () => expectSent(held.sent))
      expectMatch(failureOf(held.sentAgain), /TaskAlreadyExists/, 'the answer to sendTask')
      expectMatch(failureOf(held.createdAgain), /TaskAlreadyExists/, 'the answer to createTask')
    },
  },
  {
    id: 'rpc.sendTask.observed.duplicate',
    title: 'observed: the forms of TaskAlreadyExists',
    clauses: ['4.3-16'],
    level: 'may',
    needs: heldTaskNeeds,
    exclusive: true,
    run: async (t) => {
      const { sentAgain, createdAgain } = await heldTask(t)
      const error = isObject(sentAgain.json) ? sentAgain.json.error : undefined
      decidedEqual(t, isObject(error) ? error.code : undefined, -32616, 'the code of sendTask')
      const result = isObject(createdAgain.json) ? createdAgain.json.result : undefined
      const view = isObject(result) ? result : {}
      const starts = String(view.error).startsWith('TaskAlreadyExists')
      decidedEqual(t, [view.status, starts], ['failed', true], 'the result of createTask')
    },
  },
  {
    id: 'rpc.sendTask.again',
    title: 'when the first has ended, the same intent makes a task of its own',
    clauses: ['4.3-19', '7.5-11'],
    level: 'must',
    needs: followed,
    run: async (t) => {
      const params = taskParams(t)
      const { taskId } = await followTask(t, params)
      const answer = await sendTask(t, params)
      const failure = failureOf(answer)
      if (failure === undefined)
        expectThat(expectSent(answer) !== taskId, 'the task id', 'a new one', taskId)
      else expectMatch(failure, /TaskAlreadyExists/, 'the failure')
      t.observe(`an intent that has ended, sent again: ${failure ?? 'accepted'}`)
    },
  },
  {
    id: 'rpc.sendTask.any-intent',
    title: 'any intent is taken, and no two submissions get the same id',
    clauses: ['4.3-19', '4.3-04', '4.3-10'],
    level: 'must',
    needs,
    run: async (t) => {
      const ids = new Set<string>()
      let sent = 0
      await checkProperty(t, 'intents', anyIntent(chainIdOf(t)), { runs: 12 }, async (intent) => {
        const answer = await sendTask(t, taskParams(t, fixture.simple, { intent }))
        // The same small intent may be drawn twice.
        if (failureOf(answer)?.includes('TaskAlreadyExists')) return
        ids.add(expectSent(answer))
        sent++
        expectEqual(ids.size, sent, 'the number of different ids')
      })
    },
  },
  option('threshold', '4.3-07', { quorum_threshold_percentage: 34 }, (task) => [
    Number(task.quorumThresholdPercentage),
    34,
  ]),
  option('quorum-number', '4.3-06', { quorum_number: '0x00' }, (task) => [
    task.quorumNumbers,
    '0x00',
  ]),
  option('wasm-args', '4.3-08', { wasm_args: '0x7b2261223a317d' }, (task) => [
    task.wasmArgs,
    '0x7b2261223a317d',
  ]),
  option('signature', '4.3-05', { intent_signature: `0x${'5a'.repeat(64)}1b` }, (task) => [
    task.intentSignature,
    `0x${'5a'.repeat(64)}1b`,
  ]),
  option(
    'proof-cid',
    '4.3-09',
    { proof_cid: 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy' },
    (task) => [typeof task.taskId, 'string'],
  ),
  {
    id: 'rpc.sendTask.empty-signature',
    title: 'an empty intent_signature fails with an encoding error naming exactly 65 bytes',
    clauses: ['4.3-05', '7.3-15'],
    level: 'must',
    needs: followed,
    twin: 'the same task without a signature',
    run: async (t) => {
      await t.twin(() => sendTaskSubject.accepted(t))
      const params = taskParams(t, fixture.simple, { intent_signature: '0x' })
      const answer = await sendTask(t, params)
      // Told at once, or by the end of the task: the text leaves both.
      const told = failureOf(answer) ?? (await toldOf(t, expectSent(answer)))
      expectMatch(told, /Failed to encode intent signature.*exactly 65 bytes/, 'the failure')
    },
  },
  {
    id: 'rpc.sendTask.observed.timeout',
    title: 'observed: a timeout, which is no parameter of sendTask',
    clauses: ['4.3-18'],
    level: 'may',
    needs,
    run: async (t) => {
      await sendTaskSubject.accepted(t)
      const answer = await sendTask(t, taskParams(t, fixture.simple, { timeout: 1 }))
      decidedEqual(t, failureOf(answer), undefined, 'the failure of sendTask with a timeout')
    },
  },
]
