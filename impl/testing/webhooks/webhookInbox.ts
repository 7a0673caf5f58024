import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import type { TaskFailureNotification } from 'polgate-protocol/notification.ts'
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
  /** Why other requests were refused with status 401 or 400. */
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
 * @param options.signatureHeader such as `stack.brand.signatureHeader`
 */
export async function startWebhookInbox(options: {
  readonly signatureHeader: string
  /** Default: a random one. */
  readonly secret?: string
}): Promise<WebhookInbox> {
  const { secret = randomBytes(24).toString('base64url') } = options
  const header = options.signatureHeader.toLowerCase()
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
    const reason = refusal(request, body)
    if (reason !== undefined) {
      if (refused.push(reason) > maxKept) refused.shift()
      return void response.writeHead(401).end(reason)
    }
    const status = answers.shift() ?? 200
    const rawBody = body.toString('utf8')
    let notification: TaskFailureNotification
    try {
      notification = JSON.parse(rawBody) as TaskFailureNotification
    } catch {
      if (refused.push('the signed body is not JSON') > maxKept) refused.shift()
      return void response.writeHead(400).end()
    }
    const names = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
    const headers = Object.fromEntries(names) as Record<string, string>
    deliveries.push({ notification, headers, rawBody, at: Date.now(), status })
    if (deliveries.length > maxKept) deliveries.shift()
    response.writeHead(status).end()
    for (const look of waiting) look()
  }

  function refusal(request: IncomingMessage, body: Buffer): string | undefined {
    const given = request.headers[header]
    if (given === undefined) return `the header ${options.signatureHeader} is missing`
    const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
    return sameText(String(given), expected)
      ? undefined
      : `the header ${options.signatureHeader} is not the signature of the body`
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

function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
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
