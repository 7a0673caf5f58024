import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { ClientError, type TaskFailureNotification, verifyWebhook } from 'polgate-client/index.ts'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import { createAttemptCounter } from 'polgate-local/webhooks/attemptCounter.ts'
import { maxReceivedBody, receivedBody } from 'polgate-local/webhooks/receivedBody.ts'
import type { Brand } from 'polgate-protocol/brand.ts'
import { type Forwarded, forwardDelivery } from './forwardDelivery.ts'

/** One attempt of the service to deliver a notification. */
export type Delivery = {
  /** Unix milliseconds. */
  readonly at: number
  /** Absent if the request is not a genuine notification. */
  readonly notification?: TaskFailureNotification | undefined
  /** Why it is not. */
  readonly fault?: string | undefined
  /** Of this notification, from 1: the service repeats what was not answered with success. */
  readonly attempt: number
  /** Seconds from the failure to this attempt; negative if the clocks differ. */
  readonly age?: number | undefined
  readonly forwarded?: Forwarded | undefined
  /** What the service was answered. */
  readonly status: number
}

export type ListenerOptions = {
  readonly secret: string
  readonly brand: Brand
  readonly port?: number | undefined
  readonly forwardTo?: URL | undefined
  /** How long the local program may take, milliseconds. */
  readonly withinMs: number
  readonly onDelivery: (delivery: Delivery) => void
}

export type WebhookListener = {
  readonly url: string
  close(): Promise<void>
}

const graceMs = 1_000

/**
 * Receives webhooks on loopback, verifies signature, idempotency key and time of each, and forwards those that are
 * genuine. The service is answered with the status of the local program, so that it retries as in production.
 */
export async function startWebhookListener(options: ListenerOptions): Promise<WebhookListener> {
  const attemptOf = createAttemptCounter()
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy())
  })
  const { url } = await listen(server, { port: options.port })

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = Date.now()
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end()
    const body = await receivedBody(request)
    const answer = (status: number, rest: Partial<Delivery>) => {
      const { retryAfter } = rest.forwarded ?? {}
      response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
      response.end()
      options.onDelivery({ at, attempt: 1, status, ...rest })
    }
    if (body === undefined)
      return answer(413, { fault: `the body is larger than ${maxReceivedBody} bytes` })
    let notification: TaskFailureNotification
    try {
      const { secret, brand } = options
      notification = await verifyWebhook(body, request.rawHeaders, secret, { brand })
    } catch (error) {
      // As a receiver in production should answer: it is not retried.
      return answer(401, { fault: faultOf(error) })
    }
    const time = Date.parse(notification.timestamp)
    if (Number.isNaN(time)) return answer(401, { fault: 'its timestamp is not a time' })
    const facts = {
      notification,
      attempt: attemptOf(notification.notification_id),
      age: Math.round((at - time) / 1_000),
    }
    if (options.forwardTo === undefined) return answer(200, facts)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const { rawHeaders } = request
    const { withinMs } = options
    const forwarded = await forwardDelivery(
      options.forwardTo,
      { rawHeaders, body },
      { withinMs, signal: gone.signal },
    )
    answer(forwarded.status, { ...facts, forwarded })
  }

  return { url, close: () => drain(server, { graceMs }) }
}

const faultOf = (error: unknown): string =>
  (error instanceof ClientError ? error.shortMessage : 'it cannot be verified').replace(/\.$/, '')
