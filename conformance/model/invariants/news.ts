import { expectEqual, expectThat, isObject, type JsonObject } from '../../core/expect.ts'
import { idempotencyKeyOf } from '../../kit/assertions/notification.ts'
import { expectDecided, isRequired, observed } from '../../kit/assertions/observed.ts'
import { dataOf, isEnd, isRefusal, isUpdate, notificationIn } from '../../kit/scenarios/updates.ts'
import { payloadOf } from '../../kit/scenarios/webhooks.ts'
import type { Follower } from '../follower.ts'
import { everybody, type Side, sentTo } from '../state.ts'
import type { Invariant } from '../step.ts'
import type { Surfaces } from '../surfaces.ts'

function taskIn(message: JsonObject): string {
  const result = isUpdate(message) ? message.result : notificationIn(message)
  return isObject(result) ? String(result.task_id).toLowerCase() : ''
}

function followersOf({ holders }: Surfaces, who: Side): readonly Follower[] {
  const { witness, reader, former } = holders[who]
  return [witness, reader, ...former]
}

/**
 * Section 6.1: a connection receives only updates that it subscribed to, and none after
 * unsubscribing.
 */
function expectOwnNews(surfaces: Surfaces, who: Side, { socket, asked }: Follower): void {
  for (const [at, { json }] of socket.frames.entries()) {
    if (!isObject(json) || (!isUpdate(json) && notificationIn(json) === undefined)) continue
    const id = taskIn(json)
    const following = asked.get(id)
    expectThat(
      following !== undefined,
      'what a connection receives',
      'tasks it subscribed to',
      json,
    )
    expectThat(
      at < (following.left ?? Number.POSITIVE_INFINITY),
      'what a connection receives after unsubscribing',
      'nothing of that task',
      json,
    )
    // Decision W2; whether another key may follow a task is open.
    const owner = surfaces.tasks.find(({ taskId }) => taskId === id)?.by
    expectDecided(surfaces.t, 'task-owner', 'the owner of a task in an update', owner, { who })
    const { answer } = following
    if (typeof answer?.subscription === 'string' && isUpdate(json))
      expectEqual(json.subscription, answer.subscription, 'subscription of an update')
  }
}

/** The end updates of a task on a connection, and its notifications. */
function endsOf({ socket }: Follower, id: string) {
  const messages = socket.frames
    .map(({ json }) => json)
    .filter((json): json is JsonObject => isObject(json) && taskIn(json) === id)
  return {
    ends: messages.filter((message) => isUpdate(message) && isEnd(message)),
    notifications: messages.flatMap((message): readonly JsonObject[] => {
      const found = notificationIn(message)
      return found === undefined ? [] : [found]
    }),
  }
}

/** Updates go only to subscribers, and no end is sent twice. */
export const updatesReachOnlyOwners: Invariant = async (model, surfaces) => {
  for (const who of everybody)
    for (const follower of followersOf(surfaces, who)) {
      expectOwnNews(surfaces, who, follower)
      for (const [id, following] of follower.asked) {
        const { ends, notifications } = endsOf(follower, id)
        // That the end is sent is a must (6.1-12); how often is open.
        if (ends.length > 1)
          observed(surfaces.t, 'final-updates', 'the end updates of a task', ends.length)
        const ids = new Set(notifications.map(({ notification_id }) => notification_id))
        expectThat(ids.size <= 1, 'the notifications of one task', 'one', [...ids])
        const at = surfaces.tasks.findIndex(({ taskId }) => taskId === id)
        const [end] = ends
        if (end === undefined || following.left !== undefined) continue
        const success = dataOf(end).status === 'success'
        expectEqual(
          success,
          model.tasks[at]?.ending !== 'failed',
          `success, with an update for ${id}`,
        )
      }
    }
}

/** Section 6.2: a webhook receives the failures of its key while it is registered, each once. */
export const failuresAreNotified: Invariant = async (model, surfaces) => {
  for (const who of everybody) {
    const { box } = surfaces.holders[who]
    if (box === undefined) continue
    const due = sentTo(model, who).map((at) => surfaces.tasks[at]!.taskId)
    const told = new Map<string, string>()
    for (const delivery of box.deliveries) {
      const payload = payloadOf(delivery)
      const id = String(payload.task_id).toLowerCase()
      const notification = String(payload.notification_id)
      expectThat(
        due.includes(id),
        `a task in a notification to the webhook of ${who}`,
        due,
        payload,
      )
      expectEqual(idempotencyKeyOf(delivery), notification, 'X-Idempotency-Key')
      const before = told.get(id)
      expectThat(
        before === undefined || before === notification,
        'notification_id of a repeated delivery',
        before,
        notification,
      )
      // The specification allows repeated delivery, with the same key (decision W7).
      if (before !== undefined)
        observed(surfaces.t, 'deliveries-of-one-notification', 'deliveries of one notification', 2)
      told.set(id, notification)
      for (const follower of followersOf(surfaces, who))
        for (const { notification_id } of endsOf(follower, id).notifications)
          observed(
            surfaces.t,
            'notification-id',
            'notification_id, on both channels',
            notification_id,
            { notification },
          )
    }
  }
}

/** At the end: every subscriber received every end, and every webhook every failure. */
export const nothingIsLost: Invariant = async (model, surfaces) => {
  for (const who of everybody) {
    const { box } = surfaces.holders[who]
    if (box !== undefined)
      expectEqual(
        new Set(box.deliveries.map((each) => String(payloadOf(each).task_id).toLowerCase())).size,
        sentTo(model, who).length,
        `failures sent to the webhook of ${who}`,
      )
  }
  for (const [at, { by, way, following, ending }] of model.tasks.entries()) {
    if (way !== 'sent') continue
    const { taskId } = surfaces.tasks[at]!
    for (const follower of followersOf(surfaces, by)) {
      const asked = follower.asked.get(taskId)
      if (asked === undefined || asked.left !== undefined) continue
      const isReader = follower === surfaces.holders[by].reader
      // Whether a late subscriber receives it is open (6.1-16).
      if (isReader && following !== 'yes') continue
      const ended = (message: JsonObject) =>
        taskIn(message) === taskId && isUpdate(message) && isEnd(message)
      if (!isReader || isRequired(surfaces.t, 'every-reader')) {
        // Without this a refusal looks like an end that is late, which load may explain.
        expectThat(
          !isRefusal(asked.answer),
          `the response to a subscription to task ${taskId}, with the key that sent it`,
          'no refusal',
          asked.answer,
        )
        await follower.socket.expect('an end', ended)
      }
      if (ending === 'failed' && !isReader)
        await follower.socket.expect(
          `the notification of the failure of ${taskId}`,
          (message) => taskIn(message) === taskId && notificationIn(message) !== undefined,
        )
    }
  }
}
