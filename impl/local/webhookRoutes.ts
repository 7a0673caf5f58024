import { Value } from '@sinclair/typebox/value'
import type { Context, Hono } from 'hono'
import { AppError } from 'polgate-lib/errors/appError.ts'
import {
  InboxRegistration,
  InboxReply,
  type NotificationList,
  type RecordedUpdates,
  TriggerRequest,
} from 'polgate-protocol/control/webhooks.ts'
import { FailureType } from 'polgate-protocol/notification.ts'
import type { NotificationQueries } from 'polgate-service/store/notifications.ts'
import { devKeyNamed, type FailureTriggers } from './webhooks/failureTriggers.ts'
import type { WebhookInbox } from './webhooks/webhookInbox.ts'
import type { WebhookRecords } from './webhooks/webhookRecords.ts'

/** What the routes show and change. */
export type WebhookTools = {
  readonly inbox: Omit<WebhookInbox, 'close'>
  readonly records: Omit<WebhookRecords, 'around'>
  readonly triggers: Pick<FailureTriggers, 'start' | 'list'>
  readonly notifications: Pick<NotificationQueries, 'latest'>
  /** Unix milliseconds. */
  readonly now: () => number
}

const shownNotifications = 200
const shownUpdates = 1_000

/** Inbox, notifications and their deliveries, failures on request, and messages about tasks. */
export function addWebhookRoutes(app: Hono, tools: WebhookTools): void {
  const { inbox, records, triggers } = tools
  const bodyOf = (c: Context): Promise<unknown> => c.req.json().catch(() => undefined)
  const answered = async (c: Context, work: () => Promise<Response>) => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return c.json({ error: error.message, hint: error.hint }, 422)
    }
  }

  app.get('/webhooks/inbox', async (c) => c.json(await inbox.state(seqOf(c))))

  app.post('/webhooks/inbox/register', (c) =>
    answered(c, async () => {
      const body = await bodyOf(c)
      if (!Value.Check(InboxRegistration, body))
        return c.json(
          {
            error: 'register takes {key, timeoutSeconds?, maxRetries?, replace?}: 1 to 60, 0 to 10',
          },
          422,
        )
      await inbox.register(body)
      return c.json(await inbox.state(seqOf(c)))
    }),
  )

  app.delete('/webhooks/inbox/:key', async (c) => {
    await inbox.unregister(c.req.param('key'))
    return c.json({})
  })

  app.put('/webhooks/inbox/reply', async (c) => {
    const body = await bodyOf(c)
    if (!Value.Check(InboxReply, body))
      return c.json(
        {
          error:
            'reply takes {reply: "200", "429", "500" or "timeout", retryAfterSeconds?: 0 to 60}',
        },
        422,
      )
    inbox.setReply(body)
    return c.json(body)
  })

  app.get('/webhooks/notifications', async (c) => {
    const found = await tools.notifications.latest(shownNotifications)
    const list: NotificationList = {
      now: new Date(tools.now()).toISOString(),
      notifications: found.map(({ id, payload, createdAt, nextAttemptAt, ...rest }) => ({
        ...{ id, taskId: payload.task_id, type: payload.failure_type },
        message: payload.error_message.slice(0, 1_000),
        ...{ attempts: rest.attempts, lastError: rest.lastError },
        outcome: rest.outcome ?? 'pending',
        createdAt: createdAt.toISOString(),
        nextAttemptAt: rest.settledAt === null ? nextAttemptAt.toISOString() : null,
        made: [...records.attemptsOf(id)],
      })),
    }
    return c.json(list)
  })

  app.post('/webhooks/deliveries/:id/redeliver', async (c) => {
    const id = c.req.param('id')
    const made = id.length > 64 ? undefined : await records.redeliver(id)
    if (made !== undefined) return c.json(made)
    const hint = 'Register the inbox, or a webhook of your own, for the key of the task.'
    return c.json({ error: 'no notification of this id, or its key has no webhook', hint }, 404)
  })

  app.get('/webhooks/triggers', (c) => c.json(triggers.list()))
  app.post('/webhooks/trigger/:type', (c) =>
    answered(c, async () => {
      const type: unknown = c.req.param('type')
      if (!Value.Check(FailureType, type))
        return c.json({ error: 'there is no failure of this type' }, 404)
      const body = (await bodyOf(c)) ?? {}
      const name = Value.Check(TriggerRequest, body) ? (body.key ?? 'rpc') : ''
      const key = devKeyNamed(name)
      if (key === undefined)
        return c.json({ error: 'trigger takes {key?}, the name of a development key' }, 422)
      return c.json(triggers.start(type, key), 202)
    }),
  )

  app.get('/updates', (c) => {
    const task = c.req.query('task')?.toLowerCase()
    const { latest } = records.updates
    const all = records.updates.after(seqOf(c))
    const wanted =
      task === undefined ? all : all.filter((each) => each.taskId.toLowerCase() === task)
    const answer: RecordedUpdates = { latest, updates: wanted.slice(-shownUpdates) }
    return c.json(answer)
  })
}

/** `?after=`: what comes after this number; 0 without one. */
function seqOf(c: Context): number {
  const after = Number(c.req.query('after') ?? 0)
  return Number.isSafeInteger(after) ? after : 0
}
