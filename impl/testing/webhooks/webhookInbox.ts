import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { ClientError, type TaskFailureNotification, verifyWebhook } from 'polgate-client'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import { TestingError } from '../stack/testingError.ts'

/** A notification that arrived with a valid signature. */
export type WebhookDelivery = {
  readonly notification: TaskFailureNotification
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** As received; the signature is over these bytes. */
  readonly rawBody: string
  /** Unix milliseconds of this process. */
  readonly at: number
  /** What was answered. */
  readonly status: number
}

export type WebhookInbox = {
  /** `http://127.0.0.1:port/webhook` */
  readonly url: string
  readonly secret: string
  /** Params of `registerWebhook`. */
  readonly registration: { readonly url: string; readonly secret: string }
  /** Oldest first. Retries are deliveries of their own; at most the latest 1,000 are kept. */
  readonly deliveries: readonly WebhookDelivery[]
  /** Why other requests were refused with status 401. */
  readonly refused: readonly string[]
  /** Answers the next deliveries with these statuses, the later ones with 200. */
  answerNext(...statuses: readonly number[]): void
  /**
   * The first delivery that matches, already arrived or within the time.
   *
   * @param options.timeoutMs default 15,000
   * @throws TestingError `timeout` that lists what arrived instead
   */
  waitFor(
    predicate?: (delivery: WebhookDelivery) => boolean,
    options?: { readonly timeoutMs?: number },
  ): Promise<WebhookDelivery>
  close(): Promise<void>
}

const maxKept = 1_000
const maxBody = 1024 * 1024
const defaultTimeoutMs = 15_000

/**
 * A receiver of webhooks on loopback that verifies every signature (section 6.2).
 *
 * @param options.brand such as `stack.brand`; default: the neutral one
 * @param options.secret default: a random one
 */
export async function startWebhookInbox(
  options: {
    readonly brand?: { readonly signatureHeader: string } | undefined
    readonly secret?: string
  } = {},
): Promise<WebhookInbox> {
  const { brand, secret = randomBytes(24).toString('base64url') } = options
  const deliveries: WebhookDelivery[] = []
  const refused: string[] = []
  const answers: number[] = []
  const waiting = new Set<() => void>()

  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy())
  })
  server.unref()
  const { url: origin } = await listen(server)

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    let notification: TaskFailureNotification
    try {
      notification = await verifyWebhook(body, request.headers, secret, { brand })
    } catch (error) {
      if (refused.push(reasonOf(error)) > maxKept) refused.shift()
      return void response.writeHead(401).end()
    }
    const status = answers.shift() ?? 200
    const names = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
    const headers = Object.fromEntries(names) as Record<string, string>
    deliveries.push({
      notification,
      headers,
      rawBody: body.toString('utf8'),
      at: Date.now(),
      status,
    })
    if (deliveries.length > maxKept) deliveries.shift()
    response.writeHead(status).end()
    for (const look of waiting) look()
  }

  const url = `${origin}/webhook`
  return {
    url,
    secret,
    registration: { url, secret },
    deliveries,
    refused,
    answerNext: (...statuses) => void answers.push(...statuses),
    waitFor(predicate = () => true, { timeoutMs = defaultTimeoutMs } = {}) {
      return new Promise((resolve, reject) => {
        const end = () => {
          waiting.delete(look)
          clearTimeout(timer)
        }
        const look = () => {
          const found = deliveries.find(predicate)
          if (found === undefined) return
          end()
          resolve(found)
        }
        const timer = setTimeout(() => {
          end()
          reject(timedOut(timeoutMs, deliveries, refused))
        }, timeoutMs)
        waiting.add(look)
        look()
      })
    },
    close: () => drain(server),
  }
}

/** Without its hint. */
const reasonOf = (error: unknown): string =>
  (error instanceof ClientError ? error.shortMessage : String(error)).replace(/\.$/, '')

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBody) throw new RangeError('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function timedOut(
  timeoutMs: number,
  deliveries: readonly WebhookDelivery[],
  refused: readonly string[],
): TestingError {
  const arrived = deliveries
    .slice(-10)
    .map(({ notification }) => `${notification.failure_type} of task ${notification.task_id}`)
  const others = refused.length === 0 ? '' : `; ${refused.length} refused: ${refused.at(-1)}`
  return new TestingError(
    `No delivery matched within ${timeoutMs} ms; ${deliveries.length} arrived${arrived.length === 0 ? '' : `: ${arrived.join(', ')}`}${others}`,
    {
      code: 'timeout',
      hint: 'Register the inbox with registerWebhook(inbox.registration), under the key that creates the task.',
    },
  )
}
