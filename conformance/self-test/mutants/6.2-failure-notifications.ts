import { randomUUID } from 'node:crypto'
import type { Mutant } from './mutant.ts'
import {
  changedClaims,
  changedDelay,
  changedHeaders,
  misread,
  sending,
  signatureHeader,
  webhookStore,
} from './webhookFaults.ts'

/** Faults in the delivery of failure notifications (section 6.2). */
export const failureDeliveryMutants: readonly Mutant[] = [
  {
    id: 'webhook.never-sent',
    fault: 'accepts webhooks but never sends to them',
    clauses: ['6.2-01', '6.2-03', '4.9-12'],
    parts: (markFired) =>
      webhookStore(({ notifications }) => ({
        notifications: {
          ...notifications,
          claim: async () => {
            markFired()
            return []
          },
        },
      })),
  },
  {
    id: 'webhook.task-result-sent',
    fault: 'sends the task instead of a notification',
    clauses: ['6.2-01'],
    parts: changedClaims((claimed) => {
      const { task_id, error_message, timestamp } = JSON.parse(claimed.body)
      const body = { task_id, status: 'failed', error: error_message, timestamp }
      return { ...claimed, body: JSON.stringify(body) }
    }),
  },
  {
    id: 'webhook.wrapped-in-event',
    fault: 'wraps the notification in an event',
    clauses: ['6.2-01'],
    parts: changedClaims((claimed) => ({
      ...claimed,
      body: `{"event":"task.failed","data":${claimed.body}}`,
    })),
  },
  {
    id: 'webhook.silent-receiver-blocks',
    fault: 'sends one notification after the other, so that a silent receiver delays all others',
    clauses: ['6.2-03'],
    parts: (markFired) => {
      let last: Promise<unknown> = Promise.resolve()
      let waiting = 0
      return sending((delivery, send) => {
        if (waiting++ > 0) markFired()
        const { signal: _, ...rest } = delivery
        const turn = last.then(() => send({ ...rest, signal: AbortSignal.timeout(8_000) }))
        last = turn.catch(() => undefined).finally(() => waiting--)
        return turn
      })(markFired)
    },
  },
  {
    id: 'ws.failure-without-notification',
    fault: 'sends subscribers the failed status without a notification',
    clauses: ['6.2-02'],
    parts: (markFired) => ({
      updateServer: (deps) => ({
        ...deps,
        updates: {
          ...deps.updates,
          subscribe: (id, listener) =>
            deps.updates.subscribe(id, (news) => {
              if (news.kind === 'notification') markFired()
              else listener(news)
            }),
        },
        tasks: {
          ...deps.tasks,
          notifications: async () => {
            markFired()
            return []
          },
        },
      }),
    }),
  },
  {
    id: 'webhook.no-idempotency-key',
    fault: 'sends no idempotency key',
    clauses: ['6.2-05', '5.5-03'],
    parts: changedHeaders(({ 'X-Idempotency-Key': _, ...headers }) => headers),
  },
  {
    id: 'webhook.key-in-another-header',
    fault: 'sends the notification id as Idempotency-Key, without X-',
    clauses: ['6.2-05'],
    parts: changedHeaders(({ 'X-Idempotency-Key': key = '', ...headers }) => ({
      ...headers,
      'Idempotency-Key': key,
    })),
  },
  {
    id: 'webhook.sent-as-text',
    fault: 'sends the JSON as text/plain',
    clauses: ['6.2-06'],
    parts: changedHeaders((headers) => ({ ...headers, 'Content-Type': 'text/plain' })),
  },
  {
    id: 'webhook.sent-as-form',
    fault: 'sends the JSON as a form',
    clauses: ['6.2-06'],
    parts: changedHeaders((headers) => ({
      ...headers,
      'Content-Type': 'application/x-www-form-urlencoded',
    })),
  },
  {
    id: 'webhook.first-retry-after-second',
    fault: 'makes the first retry after a second',
    clauses: ['6.2-07'],
    parts: changedDelay((attempts, right) => (attempts === 1 ? 1_000 : right)),
  },
  {
    id: 'webhook.first-retry-late',
    fault: 'makes the first retry after 1.5 seconds',
    clauses: ['6.2-07'],
    parts: changedDelay((attempts, right) => (attempts === 1 ? 1_500 : right)),
  },
  {
    id: 'webhook.first-retry-at-once',
    fault: 'makes the first retry immediately',
    clauses: ['6.2-07'],
    parts: changedDelay((attempts, right) => (attempts === 1 ? 0 : right)),
  },
  {
    id: 'webhook.same-delay',
    fault: 'waits 100 ms before every retry',
    clauses: ['6.2-08'],
    parts: changedDelay((_, right) => Math.min(right, 100)),
  },
  {
    id: 'webhook.linear-delay',
    fault: 'waits 100 ms longer before each retry, linearly',
    clauses: ['6.2-08'],
    parts: changedDelay((attempts) => 100 * attempts),
  },
  {
    id: 'webhook.no-cap',
    fault: 'doubles the wait without a cap',
    clauses: ['6.2-09'],
    parts: changedDelay((attempts, right) => (attempts > 7 ? 100 * 2 ** (attempts - 1) : right)),
  },
  {
    id: 'webhook.cap-of-a-minute',
    fault: 'lets the wait grow tenfold, to a minute',
    clauses: ['6.2-09'],
    parts: changedDelay((attempts, right) =>
      attempts > 7 ? Math.min(60_000, 100 * 10 ** (attempts - 5)) : right,
    ),
  },
  {
    id: 'webhook.cap-of-a-second',
    fault: 'caps the wait at a second',
    clauses: ['6.2-09'],
    parts: changedDelay((_, right) => Math.min(right, 1_000)),
  },
  {
    id: 'webhook.one-retry-too-many',
    fault: 'makes one retry too many',
    clauses: ['6.2-10'],
    parts: changedClaims((claimed) => ({ ...claimed, maxRetries: claimed.maxRetries + 1 })),
  },
  {
    id: 'webhook.retries-for-ever',
    fault: 'retries without a limit',
    clauses: ['6.2-10'],
    parts: changedClaims((claimed) => ({ ...claimed, maxRetries: 1_000 })),
  },
  {
    id: 'webhook.4xx-retried',
    fault: 'retries every status other than 2xx',
    clauses: ['6.2-11'],
    parts: misread((answer) =>
      answer.status >= 400 && answer.status < 500 && answer.status !== 429
        ? { ...answer, status: 500 }
        : answer,
    ),
  },
  {
    id: 'webhook.401-retried',
    fault: 'retries 401',
    clauses: ['6.2-11'],
    parts: misread((answer) => (answer.status === 401 ? { ...answer, status: 503 } : answer)),
  },
  {
    id: 'webhook.429-not-retried',
    fault: 'treats 429 as a refusal like other 4xx',
    clauses: ['6.2-12'],
    parts: misread((answer) => (answer.status === 429 ? { ...answer, status: 400 } : answer)),
  },
  {
    id: 'webhook.5xx-not-retried',
    fault: 'retries 429 but not 5xx',
    clauses: ['6.2-13'],
    parts: misread((answer) => (answer.status >= 500 ? { ...answer, status: 400 } : answer)),
  },
  {
    id: 'webhook.reset-not-retried',
    fault: 'does not retry without a response',
    clauses: ['6.2-13'],
    parts: sending(async (delivery, send, _, markFired) => {
      try {
        return await send(delivery)
      } catch {
        markFired()
        return { status: 400, retryAfter: undefined }
      }
    }),
  },
  {
    id: 'webhook.timeout-not-retried',
    fault: 'does not retry after a timeout, as the receiver may have accepted it',
    clauses: ['6.2-13'],
    parts: sending(async (delivery, send, _, markFired) => {
      try {
        return await send(delivery)
      } catch (error) {
        if (!delivery.signal.aborted) throw error
        markFired()
        return { status: 200, retryAfter: undefined }
      }
    }),
  },
  {
    id: 'webhook.sent-twice',
    fault: 'sends every notification twice',
    clauses: ['6.2-14'],
    parts: sending(async (delivery, send, _, markFired) => {
      await send(delivery)
      markFired()
      return send(delivery)
    }),
  },
  {
    id: 'webhook.only-204-ends',
    fault: 'retries until the answer is 204',
    clauses: ['6.2-14'],
    parts: misread((answer) =>
      answer.status < 300 && answer.status !== 204 ? { ...answer, status: 500 } : answer,
    ),
  },
  {
    id: 'webhook.success-told',
    fault: 'sends successful tasks to the webhook, too',
    clauses: ['6.2-15'],
    parts: (markFired) => ({
      taskDeps: (deps) => {
        const { tasks } = deps.store
        return {
          ...deps,
          store: {
            ...deps.store,
            tasks: {
              ...tasks,
              finish: (id, options) => {
                if (options.status !== 'success') return tasks.finish(id, options)
                markFired()
                const notification = {
                  notification_id: deps.uuid(),
                  task_id: id,
                  timestamp: new Date(deps.clock()).toISOString(),
                  failure_type: 'internal_error' as const,
                  error_message: '',
                  context: { status: 'success' },
                  is_recoverable: false,
                  retry_after_seconds: null,
                }
                return tasks.finish(id, { ...options, notification })
              },
            },
          },
        }
      },
    }),
  },
  {
    id: 'webhook.retry-tells-attempt',
    fault: 'adds the number of the attempt to the payload',
    clauses: ['6.2-16'],
    parts: changedClaims((claimed) => ({
      ...claimed,
      body: JSON.stringify({ ...JSON.parse(claimed.body), attempt: claimed.attempts + 1 }),
    })),
  },
  {
    id: 'webhook.own-id',
    fault: 'gives the notification another id on the webhook than on the WebSocket',
    clauses: ['6.2-17'],
    parts: (markFired) => ({
      taskDeps: (deps) => ({
        ...deps,
        updates: {
          ...deps.updates,
          publish: (id, news) => {
            if (news.kind !== 'notification') return deps.updates.publish(id, news)
            markFired()
            const notification = { ...news.notification, notification_id: randomUUID() }
            deps.updates.publish(id, { ...news, notification })
          },
        },
      }),
    }),
  },
  {
    id: 'webhook.signature-header-renamed',
    fault: 'sends the signature as X-Hub-Signature-256',
    clauses: ['6.2-04', '5.5-01'],
    parts: changedHeaders(({ [signatureHeader]: value, ...headers }) =>
      value === undefined ? headers : { ...headers, 'X-Hub-Signature-256': value },
    ),
  },
]
