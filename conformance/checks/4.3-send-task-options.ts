import { decidedEqual } from '../lab/decided.ts'
import { fixture } from '../lab/fixtures.ts'
import { followedNeeds, resultOfTask } from '../lab/followedTasks.ts'
import { pause } from '../lab/pause.ts'
import { failureOf, taskParams } from '../lab/requests.ts'
import { sendTaskSubject } from '../lab/subjects.ts'
import { endOf, expectSent, sendTask, subscribe, topicOf, withSocket } from '../lab/updates.ts'
import { silenceMs } from '../lab/webhooks.ts'
import type { Check } from '../runner/check.ts'
import type { CheckContext } from '../runner/context.ts'
import { expectMatch, isObject, type JsonObject } from '../runner/expect.ts'

/** Section 4.3: the optional members of sendTask. */
const needs = followedNeeds

/** All messages about a task until its end. */
const toldOf = (t: CheckContext, taskId: string): Promise<string> =>
  withSocket(t, async (socket) => {
    subscribe(socket, topicOf(t, taskId))
    await endOf(socket, taskId)
    await pause(silenceMs)
    return socket.frames.map(({ text }) => text).join(' ')
  })

/**
 * The submission is accepted; its effect on the task is required only of the reference
 * implementation.
 */
const option = (
  name: string,
  clause: string,
  change: Record<string, unknown>,
  expected: (task: JsonObject) => readonly [observed: unknown, expected: unknown],
): Check => ({
  id: `rpc.sendTask.option.${name}`,
  title: `sendTask accepts ${Object.keys(change)[0]}, with the same meaning as for createTask`,
  clauses: [clause, '4.3-01'],
  level: 'must',
  needs,
  run: async (t) => {
    const result = await resultOfTask(t, taskParams(t, fixture.simple, change))
    const task = isObject(result.task) ? result.task : {}
    const [observed, wanted] = expected(task)
    decidedEqual(t, observed, wanted, `the task with ${JSON.stringify(change)}`)
  },
})

export const sendTaskOptions: readonly Check[] = [
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
    needs,
    twin: 'the same task without a signature',
    run: async (t) => {
      await t.twin(() => sendTaskSubject.accepted(t))
      const params = taskParams(t, fixture.simple, { intent_signature: '0x' })
      const answer = await sendTask(t, params)
      // Reported immediately, or at the end of the task: the specification allows both.
      const told = failureOf(answer) ?? (await toldOf(t, expectSent(answer)))
      expectMatch(told, /Failed to encode intent signature.*exactly 65 bytes/, 'the failure')
    },
  },
  {
    id: 'rpc.sendTask.observed.timeout',
    title: 'observed: a timeout, which is not a parameter of sendTask',
    clauses: ['4.3-18'],
    level: 'may',
    needs: sendTaskSubject.needs,
    run: async (t) => {
      await sendTaskSubject.accepted(t)
      const answer = await sendTask(t, taskParams(t, fixture.simple, { timeout: 1 }))
      decidedEqual(t, failureOf(answer), undefined, 'the failure of sendTask with a timeout')
    },
  },
]
