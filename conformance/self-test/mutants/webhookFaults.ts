import { isDeepStrictEqual } from 'node:util'
import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { AttemptEnd, ClaimedNotification } from 'polgate-service/store/notifications.ts'
import type { WebhookRecord } from 'polgate-service/store/webhooks.ts'
import {
  type Answer,
  createSender,
  type Delivery,
  type Send,
} from 'polgate-service/webhooks/sender.ts'
import type { WebhooksOptions } from 'polgate-service/webhooks/webhooks.ts'
import type { MarkFired } from './mutant.ts'
import type { Json } from './wrappedListeners.ts'

type Store = WebhooksOptions['store']

/** Marks the fault as effective if it changed something. */
function fired<T>(before: T, after: T, markFired: MarkFired): T {
  if (!isDeepStrictEqual(before, after)) markFired()
  return after
}

/** A store with a changed outbox or changed registrations. */
export const webhookStore = (
  change: (store: Store, clock: WebhooksOptions['clock']) => Partial<Store>,
): ServiceParts => ({
  webhooks: (options) => ({
    ...options,
    store: { ...options.store, ...change(options.store, options.clock) },
  }),
})

/** How notifications are sent; `attempt` counts from 1 for each notification. */
export const sending =
  (
    fault: (
      delivery: Delivery,
      send: Send,
      attempt: number,
      markFired: MarkFired,
    ) => Promise<Answer>,
  ) =>
  (markFired: MarkFired): ServiceParts => {
    const attempts = new Map<string, number>()
    return {
      webhooks: (options) => {
        const send = options.send ?? createSender()
        return {
          ...options,
          send: (delivery) => {
            const id = delivery.headers['X-Idempotency-Key'] ?? ''
            const attempt = (attempts.get(id) ?? 0) + 1
            attempts.set(id, attempt)
            return fault(delivery, send, attempt, markFired)
          },
        }
      },
    }
  }

type Headers = Record<string, string>

/** The headers of a delivery, with a fault in them. */
export const changedHeaders = (
  change: (headers: Headers, delivery: Delivery, attempt: number) => Headers,
) =>
  sending((delivery, send, attempt, markFired) => {
    const headers = change({ ...delivery.headers }, delivery, attempt)
    return send({ ...delivery, headers: fired({ ...delivery.headers }, headers, markFired) })
  })

export const signatureHeader = 'X-Service-Signature'

/** The signature header, with a fault in it; an absent header stays absent. */
export const changedSignature = (change: (value: string, delivery: Delivery) => string) =>
  changedHeaders((headers, delivery) => {
    const value = headers[signatureHeader]
    return value === undefined
      ? headers
      : { ...headers, [signatureHeader]: change(value, delivery) }
  })

/** Changes how the sender interprets a response. */
export const misread = (change: (answer: Answer) => Answer) =>
  sending(async (delivery, send, _, markFired) => {
    const answer = await send(delivery)
    return fired(answer, change(answer), markFired)
  })

/** Changes what is claimed from the outbox. */
export const changedClaims =
  (change: (claimed: ClaimedNotification) => ClaimedNotification) =>
  (markFired: MarkFired): ServiceParts =>
    webhookStore(({ notifications }) => ({
      notifications: {
        ...notifications,
        claim: async (options) =>
          (await notifications.claim(options)).map((each) => fired(each, change(each), markFired)),
      },
    }))

/** Changes the delay of the next attempt in milliseconds, by the number of attempts. */
export const changedDelay =
  (delayMs: (attempts: number, right: number) => number) =>
  (markFired: MarkFired): ServiceParts =>
    webhookStore(({ notifications }, clock) => ({
      notifications: {
        ...notifications,
        endAttempts: (ends) =>
          notifications.endAttempts(
            ends.map((end): AttemptEnd => {
              if (!('retryAt' in end)) return end
              const now = clock()
              const right = end.retryAt.getTime() - now
              const delay = delayMs(end.attempts, right)
              if (delay === right) return end
              markFired()
              // The deliverer sets its timer by the same object.
              end.retryAt.setTime(now + delay)
              return end
            }),
          ),
      },
    }))

type Registration = Omit<WebhookRecord, 'registeredAt'>

/** Changes what is stored of a registration. */
export const changedRegistration =
  (change: (webhook: Registration) => Registration) =>
  (markFired: MarkFired): ServiceParts =>
    webhookStore(({ webhooks }) => ({
      webhooks: {
        ...webhooks,
        put: (webhook, used) =>
          webhooks.put(fired(webhook, change({ ...webhook }), markFired), used),
      },
    }))

/** Changes a notification, on both channels alike. */
export const changedNotification =
  (change: (notification: Json) => Json) =>
  (markFired: MarkFired): ServiceParts => {
    const changed = (notification: TaskFailureNotification) =>
      fired(notification, change(structuredClone(notification)), markFired)
    return {
      ...changedClaims((claimed) => ({
        ...claimed,
        body: JSON.stringify(changed(JSON.parse(claimed.body))),
      }))(() => {}),
      taskDeps: (deps) => ({
        ...deps,
        updates: {
          ...deps.updates,
          publish: (id, news) =>
            deps.updates.publish(
              id,
              news.kind === 'notification'
                ? { ...news, notification: changed(news.notification) }
                : news,
            ),
        },
      }),
    }
  }
