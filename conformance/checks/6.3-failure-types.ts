import { taskManagerAbi } from 'polgate-chain/artifacts/abis.ts'
import { encodeFunctionData, type Hex, toHex } from 'viem'
import type { Check } from '../core/check.ts'
import { Untestable } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, type JsonObject } from '../core/expect.ts'
import { devNode } from '../kit/assertions/contract.ts'
import { expectNotification, expectQuorumContext } from '../kit/assertions/notification.ts'
import { observed } from '../kit/assertions/observed.ts'
import { blocksOfQueue } from '../kit/scenarios/explorerShown.ts'
import { fixture } from '../kit/scenarios/fixtures.ts'
import { failingNeeds } from '../kit/scenarios/followedTasks.ts'
import { minedReceipt } from '../kit/scenarios/minedReceipt.ts'
import { stakesOf, withStopped } from '../kit/scenarios/operators.ts'
import type { CallKey } from '../kit/scenarios/ownKey.ts'
import { pause } from '../kit/scenarios/pause.ts'
import { createTask, expectNoSuccess, expectTask, taskParams } from '../kit/scenarios/requests.ts'
import {
  endOf,
  eventOf,
  expectSent,
  notificationIn,
  sendTask,
  subscribe,
  topicOf,
  withSocket,
} from '../kit/scenarios/updates.ts'
import {
  type Box,
  expectDeliveries,
  failTask,
  payloadOf,
  webhookNeeds,
  withWebhook,
} from '../kit/scenarios/webhooks.ts'

/** Section 6.3: a type for each kind of failure, sent on both channels. */
const needs = webhookNeeds

/** The notification of the first failure that a webhook receives. */
async function told(box: Box, taskId?: string): Promise<JsonObject> {
  const [delivery] = await expectDeliveries(box, 1)
  const payload = payloadOf(delivery!)
  expectNotification(payload, taskId)
  return payload
}

/** A task that fails; returns its notification as received by the webhook of its key. */
const notificationOf = (
  t: CheckContext,
  fail: (key: CallKey) => Promise<unknown>,
): Promise<JsonObject> =>
  withWebhook(t, {}, async ({ key, box }) => {
    await fail(key)
    return told(box)
  })

async function failing(t: CheckContext, params: unknown, key: CallKey): Promise<void> {
  const answer = await createTask(t, params, { key })
  expectNoSuccess(answer)
}

const observedType = (
  id: string,
  title: string,
  more: Check['needs'],
  params: (t: CheckContext) => unknown,
): Check => ({
  id,
  title: `observed: the type of failure of ${title}`,
  clauses: ['6.3-09'],
  level: 'may',
  needs: [...needs, ...more],
  run: async (t) => {
    await withWebhook(t, {}, async ({ key, box }) => {
      await failing(t, params(t), key)
      if (!(await box.wait(1, 5_000))) return t.observe(`${title}: no notification`)
      const payload = payloadOf(box.deliveries[0]!)
      expectNotification(payload)
      t.observe(`${title}: ${payload.failure_type}, ${payload.error_message}`)
    })
  },
})

export const failureTypeChecks: readonly Check[] = [
  {
    // 6.3-02: timeout: the task exceeded its timeout.
    // 6.3-01: failure_type is one of channel_error, timeout, quorum_not_reached,
    //   onchain_submission_failed, policy_evaluation_failed, signature_verification_failed,
    //   internal_error.
    // 2.8-04: failure_type is one of the strings of section 6.3.
    // 4.9-09: The default of failure_types is all.
    id: 'webhook.type.timeout',
    title: 'a task past its timeout is notified as timeout',
    clauses: ['6.3-02', '6.3-01', '2.8-04', '4.9-09'],
    level: 'must',
    needs,
    run: async (t) => {
      const { failure_type } = await notificationOf(t, (key) => failTask(t, key))
      expectEqual(failure_type, 'timeout', 'failure_type')
    },
  },
  {
    // 6.3-03: quorum_not_reached: too little stake signed the task.
    // 2.8-07: For a quorum failure context holds signed_stake and required_stake as decimal strings
    //   and operator_count as a number.
    // 2.8-06: context is an object.
    // 6.3-01: failure_type is one of channel_error, timeout, quorum_not_reached,
    //   onchain_submission_failed, policy_evaluation_failed, signature_verification_failed,
    //   internal_error.
    // 4.9-09: The default of failure_types is all.
    id: 'webhook.type.quorum',
    title: 'a task signed by too little stake is notified as quorum_not_reached, with the stakes',
    clauses: ['6.3-03', '2.8-07', '2.8-06', '6.3-01', '4.9-09'],
    level: 'must',
    needs: [...needs, 'operator-control', 'operators'],
    twin: 'the same task while every operator runs, which succeeds',
    exclusive: true,
    run: async (t) => {
      const params = () => taskParams(t, fixture.simple, { quorum_threshold_percentage: 100 })
      await withWebhook(t, {}, async ({ key, box }) => {
        await t.twin(async () => expectTask(await createTask(t, params(), { key })))
        await withStopped(t, [0], () => failing(t, params(), key))
        const payload = await told(box)
        expectEqual(payload.failure_type, 'quorum_not_reached', 'failure_type')
        expectQuorumContext(payload.context)
        const { signed_stake, required_stake, operator_count } = payload.context as JsonObject
        const stakes = stakesOf(t)
        const total = stakes.reduce((a, b) => a + b, 0n)
        observed(
          t,
          'context',
          'signed_stake, required_stake and operator_count',
          [signed_stake, required_stake, operator_count],
          { computed: [`${total - stakes[0]!}`, `${total}`, stakes.length - 1] },
        )
      })
    },
  },
  {
    // 6.3-07: channel_error: a channel failed; which channels are meant is not specified.
    // 6.3-09: The failure type of other failures, such as those of an oracle or of the chain.
    id: 'webhook.type.channel',
    title: 'observed: the type of failure while no operator is reachable',
    clauses: ['6.3-07', '6.3-09'],
    level: 'may',
    needs: [...needs, 'operator-control', 'operators'],
    exclusive: true,
    run: async (t) => {
      const all = stakesOf(t).map((_, i) => i)
      await withWebhook(t, {}, async ({ key, box }) => {
        await withStopped(t, all, () => failing(t, taskParams(t), key))
        const { failure_type, context } = await told(box)
        observed(t, 'failure-type', 'failure_type', failure_type)
        t.observe(`its context: ${JSON.stringify(context)}`)
      })
    },
  },
  {
    // 6.3-04: policy_evaluation_failed: the policy could not be evaluated.
    // 6.3-01: failure_type is one of channel_error, timeout, quorum_not_reached,
    //   onchain_submission_failed, policy_evaluation_failed, signature_verification_failed,
    //   internal_error.
    // 4.9-09: The default of failure_types is all.
    id: 'webhook.type.policy',
    title: 'a task whose policy cannot be evaluated is notified as policy_evaluation_failed',
    clauses: ['6.3-04', '6.3-01', '4.9-09'],
    level: 'must',
    needs: [...needs, `client:${fixture.signed}`],
    run: async (t) => {
      // The policy recovers the signer, which fails with such a recovery id (section 1).
      const intent_signature = `0x${'11'.repeat(64)}09`
      const { failure_type, error_message } = await notificationOf(t, (key) =>
        failing(t, taskParams(t, fixture.signed, { intent_signature }), key),
      )
      expectEqual(failure_type, 'policy_evaluation_failed', 'failure_type')
      t.observe(`error_message ${error_message}`)
    },
  },
  {
    // 6.3-05: onchain_submission_failed: the result could not be posted on chain.
    // 4.9-09: The default of failure_types is all.
    id: 'webhook.type.on-chain',
    title: 'a result that cannot be posted is notified as onchain_submission_failed',
    clauses: ['6.3-05', '4.9-09'],
    level: 'must',
    needs: [...needs, 'chain:dev'],
    twin: 'the same task with an account that may post',
    exclusive: true,
    run: async (t) => {
      await withWebhook(t, {}, async ({ key, box }) => {
        let poster: Hex | undefined
        await t.twin(async () => {
          const { task_id } = expectTask(await createTask(t, taskParams(t), { key }))
          poster = await posterOf(t, String(task_id))
        })
        if (poster === undefined)
          throw new Untestable('no account posts results to the task manager')
        await withoutRight(t, poster, async () => {
          const { task_id } = expectTask(await createTask(t, taskParams(t), { key }))
          const payload = await told(box, String(task_id))
          expectEqual(payload.failure_type, 'onchain_submission_failed', 'failure_type')
        })
      })
    },
  },
  observedType(
    // 6.3-09: The failure type of other failures, such as those of an oracle or of the chain.
    'webhook.type.observed.oracle',
    'an oracle that traps',
    [`client:${fixture.trapping}`],
    (t) => taskParams(t, fixture.trapping),
  ),
  observedType(
    'webhook.type.observed.unknown-client',
    'a policy client that is not a contract',
    [],
    (t) => taskParams(t, fixture.simple, { policy_client: `0x${'dead'.repeat(10)}` }),
  ),
  observedType(
    'webhook.type.observed.version',
    'a policy of another version',
    [`client:${fixture.otherPolicyVersion}`],
    (t) => taskParams(t, fixture.otherPolicyVersion),
  ),
  {
    // 6.2-02: Notifications are sent over the WebSocket to subscribers of the task, with the full
    //   payload.
    // 2.8-01: notification_id is a string, a UUID of version 4.
    // 2.8-02: task_id is a hex string, the id of the task that failed.
    // 2.8-03: timestamp is a string, ISO 8601 in UTC.
    // 2.8-04: failure_type is one of the strings of section 6.3.
    // 2.8-08: is_recoverable is a boolean.
    // 2.8-09: retry_after_seconds is a number or null.
    id: 'ws.failure.notification',
    title: 'a subscriber of a task that fails receives the full notification',
    clauses: ['6.2-02', '2.8-01', '2.8-02', '2.8-03', '2.8-04', '2.8-08', '2.8-09'],
    level: 'must',
    needs: failingNeeds,
    run: async (t) => {
      await withSocket(t, async (socket) => {
        const taskId = expectSent(await sendTask(t, taskParams(t, fixture.trapping)))
        subscribe(socket, topicOf(t, taskId))
        const message = await socket.expect(
          'a failure notification',
          (each) => notificationIn(each) !== undefined,
        )
        expectNotification(notificationIn(message), taskId)
      })
    },
  },
  {
    // 6.2-18: The envelope of a failure message on the WebSocket.
    // 6.1-13: Other kinds of events.
    id: 'ws.failure.envelope',
    title: 'observed: the envelope of a failure notification, and the related update',
    clauses: ['6.2-18', '6.1-13'],
    level: 'may',
    needs: failingNeeds,
    run: async (t) => {
      await withSocket(t, async (socket) => {
        const taskId = expectSent(await sendTask(t, taskParams(t, fixture.trapping)))
        subscribe(socket, topicOf(t, taskId))
        const isTold = (each: JsonObject) => notificationIn(each) !== undefined
        const [message, end] = await Promise.all([
          socket.expect('a failure notification', isTold),
          endOf(socket, taskId),
        ])
        const { type, subscription, result } = message
        observed(t, 'type', 'the type of the message', type)
        observed(t, 'subscription', 'its subscription', subscription, {
          ofUpdate: end.subscription,
        })
        observed(t, 'result', 'its result', result)
        observed(t, 'event', 'the event of the update', eventOf(end))
      })
    },
  },
  {
    // 6.2-17: Both channels send the same notification: same id, same content.
    id: 'ws.failure.same',
    title: 'WebSocket and webhook send the same notification',
    clauses: ['6.2-17'],
    level: 'should',
    needs: [...needs, 'websocket', `client:${fixture.trapping}`],
    run: async (t) => {
      await withWebhook(t, {}, ({ key, box }) =>
        withSocket(
          t,
          async (socket) => {
            // Blocks before and after: the report shows one failure on every surface.
            await t.chain().getBlockNumber({ cacheTime: 0 })
            const taskId = expectSent(await sendTask(t, taskParams(t, fixture.trapping), { key }))
            subscribe(socket, topicOf(t, taskId))
            const message = await socket.expect(
              'a failure notification',
              (each) => notificationIn(each) !== undefined,
            )
            expectEqual(await told(box, taskId), notificationIn(message), 'the notification')
            await t.chain().getBlockNumber({ cacheTime: 0 })
          },
          key,
        ),
      )
    },
  },
]

/** The account that posted the result of a task to the task manager, once it is on chain. */
async function posterOf(t: CheckContext, taskId: string): Promise<Hex | undefined> {
  const address = t.target.chain?.taskManager
  if (address === undefined) return undefined
  const deadline = performance.now() + t.patienceMs(10_000, blocksOfQueue)
  while (performance.now() < deadline) {
    // The response is posted last: afterwards nothing of this task is pending.
    const [responded] = await t.chain().getContractEvents({
      address,
      abi: taskManagerAbi,
      eventName: 'TaskResponded',
      args: { taskId: taskId as `0x${string}` },
      fromBlock: 0n,
    })
    if (responded !== undefined)
      return (await t.chain().getTransaction({ hash: responded.transactionHash })).from
    await pause(100)
  }
  return undefined
}

/** Revokes the right to post from an account, as the owner of the task manager, and restores it. */
async function withoutRight(
  t: CheckContext,
  account: Hex,
  run: () => Promise<void>,
): Promise<void> {
  const contract = { address: t.target.chain?.taskManager as Hex, abi: taskManagerAbi } as const
  const [owner, may] = await Promise.all([
    t.chain().readContract({ ...contract, functionName: 'owner' }),
    t.chain().readContract({ ...contract, functionName: 'isAggregator', args: [account] }),
  ]).catch(() => [undefined, false] as const)
  if (owner === undefined || !may)
    throw new Untestable('the task manager has no known interface to grant posting')
  const allow = async (allowed: boolean) => {
    const functionName = 'setAggregator'
    const data = encodeFunctionData({ ...contract, functionName, args: [account, allowed] })
    await devNode(t, 'anvil_impersonateAccount', [owner])
    const hash = await devNode(t, 'eth_sendTransaction', [
      { from: owner, to: contract.address, data, gas: toHex(200_000) },
    ])
    await minedReceipt(t, hash as Hex)
    await devNode(t, 'anvil_stopImpersonatingAccount', [owner])
  }
  await allow(false)
  try {
    await run()
  } finally {
    await t.cleanup(() => allow(true))
  }
}
