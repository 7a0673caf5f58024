import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { AppError } from 'polgate-lib/errors/appError.ts'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import type { Brand } from 'polgate-protocol/brand.ts'
import type {
  InboxDelivery,
  InboxRegistration,
  InboxReply,
  WebhookInboxState,
} from 'polgate-protocol/control/webhooks.ts'
import type { ApiKeyQueries } from 'polgate-service/store/apiKeys.ts'
import type { WebhookQueries } from 'polgate-service/store/webhooks.ts'
import { devApiKeys } from '../devKeys.ts'
import { createAttemptCounter } from './attemptCounter.ts'
import { createBoundedLog } from './boundedLog.ts'
import { receivedBody } from './receivedBody.ts'

export type WebhookInbox = {
  /** Registers the receiver as the webhook of a development key. @throws AppError */
  register(registration: InboxRegistration): Promise<void>
  unregister(key: string): Promise<void>
  setReply(reply: InboxReply): void
  state(after: number): Promise<WebhookInboxState>
  /** Removes its webhooks and ends the receiver. */
  close(): Promise<void>
}

export type WebhookInboxDeps = {
  readonly gatewayUrl: () => string
  readonly brand: () => Brand
  readonly apiKeys: Pick<ApiKeyQueries, 'lookup'>
  readonly webhooks: Pick<WebhookQueries, 'get' | 'remove'>
}

type Receiver = {
  readonly secret: string
  readonly url: string
  readonly timeoutSeconds: number
  readonly maxRetries: number
}

const shownBody = 16 * 1024
const shownHeaders = 50
const longestHeader = 1_000
/** In the URL of every inbox: one of a stack that was killed may be replaced without asking. */
const path = '/polgate-webhook-inbox/'
const keys = Object.keys(devApiKeys).filter((name) => name !== 'admin')

/**
 * A webhook receiver in the process of a local stack. The gateway registers it as any other, and its guard of addresses
 * allows it because local stacks allow loopback. Its secrets are random, and never shown.
 */
export function createWebhookInbox(deps: WebhookInboxDeps): WebhookInbox {
  const receivers = new Map<string, Receiver>()
  const deliveries = createBoundedLog<Omit<InboxDelivery, 'seq'>>()
  const attemptOf = createAttemptCounter()
  const silent = new Set<ServerResponse>()
  let reply: InboxReply = { reply: '200' }
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy())
  })
  let listening: Promise<{ readonly url: string }> | undefined

  async function keyId(name: string): Promise<string> {
    const known = devApiKeys[name as keyof typeof devApiKeys] as { key: string } | undefined
    const record =
      known === undefined || !keys.includes(name) ? undefined : await deps.apiKeys.lookup(known.key)
    if (record !== undefined) return record.id
    throw new AppError('there is no development key of this name', {
      hint: `Use one of ${keys.join(', ')}.`,
    })
  }

  const isRegistered = async (name: string, { url }: Receiver) =>
    (await deps.webhooks.get(await keyId(name)))?.url === url

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = new Date().toISOString()
    const key = request.url?.slice(path.length) ?? ''
    const receiver = request.url?.startsWith(path) ? receivers.get(key) : undefined
    if (receiver === undefined) return void response.writeHead(404).end()
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end()
    const body = await receivedBody(request)
    if (body === undefined) return void response.writeHead(413, { connection: 'close' }).end()
    const verified = await verify(body, request.rawHeaders, receiver)
    const { headers, status } = answerOf(reply)
    deliveries.add({
      ...{ at, key, status, headers: headersOf(request.rawHeaders) },
      ...{ body: body.subarray(0, shownBody).toString('utf8'), bodySize: body.length },
      ...verified,
      attempt: verified.notificationId === null ? 1 : attemptOf(verified.notificationId),
    })
    if (status !== null) return void response.writeHead(status, headers).end()
    silent.add(response)
    response.once('close', () => silent.delete(response))
  }

  async function verify(body: Buffer, rawHeaders: readonly string[], { secret }: Receiver) {
    const { ClientError, verifyWebhook } = await import('polgate-client/index.ts')
    try {
      const sent = await verifyWebhook(body, rawHeaders, secret, { brand: deps.brand() })
      const { notification_id: notificationId, task_id: taskId, failure_type: type } = sent
      return { verified: true, fault: null, notificationId, taskId, type }
    } catch (error) {
      const fault = error instanceof ClientError ? error.shortMessage : 'it cannot be verified'
      const nothing = { notificationId: null, taskId: null, type: null }
      return { verified: false, fault, ...nothing }
    }
  }

  return {
    async register({ key, timeoutSeconds = 2, maxRetries = 3, replace = false }) {
      const found = (await deps.webhooks.get(await keyId(key)))?.url
      if (found !== undefined && !isInbox(found) && !replace)
        throw new AppError(`the key ${key} has a webhook, which registering the inbox replaces`, {
          hint: 'Agree with replace, and register the other one again afterwards; or use another key.',
        })
      listening ??= listen(server)
      const { createServiceClient } = await import('polgate-client/index.ts')
      const client = createServiceClient({
        url: deps.gatewayUrl(),
        key: devApiKeys[key as keyof typeof devApiKeys].key,
        brand: deps.brand(),
      })
      const url = `${(await listening).url}${path}${key}`
      const receiver = { secret: randomBytes(32).toString('base64url'), url }
      try {
        await client.registerWebhook({
          ...{ url, secret: receiver.secret },
          ...{ timeout_seconds: timeoutSeconds, max_retries: maxRetries },
        })
      } catch (cause) {
        const { shortMessage = 'the gateway refused' } = cause as { shortMessage?: string }
        throw new AppError(`the gateway did not register it: ${shortMessage}`, { cause })
      }
      receivers.set(key, { ...receiver, timeoutSeconds, maxRetries })
    },
    async unregister(key) {
      const receiver = receivers.get(key)
      receivers.delete(key)
      if (receiver !== undefined && (await isRegistered(key, receiver)))
        await deps.webhooks.remove(await keyId(key))
    },
    setReply(next) {
      reply = next
      // Those that wait for their end are given up by the service in any case.
      if (next.reply !== 'timeout') for (const response of silent) response.destroy()
    },
    async state(after) {
      const shown = [...receivers].map(async ([key, receiver]) => ({
        ...{ key, registered: await isRegistered(key, receiver) },
        ...{ timeoutSeconds: receiver.timeoutSeconds, maxRetries: receiver.maxRetries },
      }))
      return {
        ...{ receivers: await Promise.all(shown), keys, reply, latest: deliveries.latest },
        deliveries: [...deliveries.after(after)],
      }
    },
    async close() {
      for (const response of silent) response.destroy()
      for (const key of [...receivers.keys()]) await this.unregister(key)
      if (listening !== undefined) await drain(server)
    },
  }
}

const isInbox = (url: string): boolean =>
  /^http:\/\/127\.0\.0\.1:\d+\/polgate-webhook-inbox\//.test(url)

function answerOf({ reply, retryAfterSeconds }: InboxReply) {
  const asked = reply === '429' && retryAfterSeconds !== undefined
  return {
    status: reply === 'timeout' ? null : Number(reply),
    headers: asked ? { 'retry-after': String(retryAfterSeconds) } : {},
  }
}

const headersOf = (raw: readonly string[]): [string, string][] =>
  raw
    .flatMap((name, at): [string, string][] =>
      at % 2 === 0
        ? [[name.slice(0, longestHeader), (raw[at + 1] ?? '').slice(0, longestHeader)]]
        : [],
    )
    .slice(0, shownHeaders)
