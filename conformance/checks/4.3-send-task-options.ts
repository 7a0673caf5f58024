import type { Check } from '../core/check.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectMatch, isObject } from '../core/expect.ts'
import { observed } from '../kit/assertions/observed.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { followedNeeds, resultOfTask } from '../kit/scenarios/followedTasks.ts'
import { pause } from '../kit/scenarios/pause.ts'
import { failureOf, taskParams } from '../kit/scenarios/requests.ts'
import { sendTaskSubject } from '../kit/scenarios/subjects.ts'
import {
  endOf,
  expectSent,
  sendTask,
  subscribe,
  topicOf,
  withSocket,
} from '../kit/scenarios/updates.ts'
import { silenceMs } from '../kit/scenarios/webhooks.ts'

/** Section 4.3: the optional members of sendTask. */
const needs = followedNeeds

/** All messages about a task until its end. */
const reportedOf = (t: CheckContext, taskId: string): Promise<string> =>
  withSocket(t, async (socket) => {
    subscribe(socket, topicOf(t, taskId))
    await endOf(socket, taskId)
    await pause(silenceMs)
    return socket.frames.map(({ text }) => text).join(' ')
  })

type Option = {
  readonly id: string
  readonly clause: string
  /** The optional member, with its value. */
  readonly change: Record<string, unknown>
  /** The member of a task that shows it (section 2.5). */
  readonly member: string
  readonly read?: (value: unknown) => unknown
  /** What it then shows. */
  readonly shown: unknown
}

/**
 * The submission is accepted. Whether the end of a sent task shows the task is open; what it shows is
 * not.
 */
const option = ({ id, clause, change, member, read = (value) => value, shown }: Option): Check => ({
  id,
  title: `sendTask accepts ${Object.keys(change)[0]}, with the same meaning as for createTask`,
  clauses: [clause, '4.3-01'],
  level: 'must',
  needs,
  run: async (t) => {
    const result = await resultOfTask(t, taskParams(t, fixture.simple, change))
    const what = `the task with ${JSON.stringify(change)}`
    const value = isObject(result.task) ? result.task[member] : undefined
    if (value !== undefined) expectEqual(read(value), shown, what)
    else observed(t, 'task', what, 'not shown')
  },
})

const lowercase = (value: unknown) => String(value).toLowerCase()

export const sendTaskOptions: readonly Check[] = [
  option({
    // 4.3-07: quorum_threshold_percentage is optional, with the same meaning.
    // 4.3-01: A key with RpcRead may send tasks.
    id: 'rpc.sendTask.option.threshold',
    clause: '4.3-07',
    change: { quorum_threshold_percentage: 34 },
    member: 'quorumThresholdPercentage',
    read: Number,
    shown: 34,
  }),
  option({
    // 4.3-06: quorum_number is optional, with the same meaning.
    // 4.3-01: A key with RpcRead may send tasks.
    id: 'rpc.sendTask.option.quorum-number',
    clause: '4.3-06',
    change: { quorum_number: '0x00' },
    member: 'quorumNumbers',
    shown: '0x00',
  }),
  option({
    // 4.3-08: wasm_args is optional, with the same meaning.
    // 4.3-01: A key with RpcRead may send tasks.
    id: 'rpc.sendTask.option.wasm-args',
    clause: '4.3-08',
    change: { wasm_args: '0x7b2261223a317d' },
    member: 'wasmArgs',
    read: lowercase,
    shown: '0x7b2261223a317d',
  }),
  option({
    // 4.3-05: intent_signature is optional, with the same meaning as for createTask.
    // 4.3-01: A key with RpcRead may send tasks.
    id: 'rpc.sendTask.option.signature',
    clause: '4.3-05',
    change: { intent_signature: `0x${'5a'.repeat(64)}1b` },
    member: 'intentSignature',
    read: lowercase,
    shown: `0x${'5a'.repeat(64)}1b`,
  }),
  option({
    // 4.3-09: proof_cid is optional, with the same meaning.
    // 4.3-01: A key with RpcRead may send tasks.
    id: 'rpc.sendTask.option.proof-cid',
    clause: '4.3-09',
    change: { proof_cid: 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy' },
    member: 'taskId',
    read: (id) => typeof id,
    shown: 'string',
  }),
  {
    // 4.3-05: intent_signature is optional, with the same meaning as for createTask.
    // 7.3-15: The error for an invalid intent signature is "Failed to encode intent signature ...
    //   expected exactly 65 bytes".
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
      const told = failureOf(answer) ?? (await reportedOf(t, expectSent(answer)))
      expectMatch(
        told,
        /Failed to encode intent signature.*exactly 65 bytes/,
        'the error of the task',
      )
    },
  },
  {
    // 4.3-18: What a gateway does with timeout, which is not a parameter of this method.
    id: 'rpc.sendTask.observed.timeout',
    title: 'observed: a timeout, which is not a parameter of sendTask',
    clauses: ['4.3-18'],
    level: 'may',
    needs: sendTaskSubject.needs,
    run: async (t) => {
      await sendTaskSubject.accepted(t)
      const answer = await sendTask(t, taskParams(t, fixture.simple, { timeout: 1 }))
      observed(t, 'failure', 'the failure of sendTask with a timeout', failureOf(answer))
    },
  },
]
