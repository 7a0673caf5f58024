import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listening } from '../../wire/listening.ts'

/**
 * How the receiver answers a request after reading all of it:
 *
 * - a number: that status, immediately, with an empty body
 * - `hang`: no response, until the client times out
 * - `reset`: closes the connection without a response
 * - an object: that status with headers and a body, delayed by `afterMs` if given; with
 * `dripMs` the body is sent a byte at a time, that far apart, as long as the client waits
 */
export type ReceiverAnswer =
  | number
  | 'hang'
  | 'reset'
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
      readonly afterMs?: number
      readonly dripMs?: number
    }

/** A received request. Times are milliseconds on one monotonic clock. */
export type Delivery = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Alternating names and values, as received. */
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  readonly at: number
  /** When the connection of an unanswered request ended. */
  readonly gaveUpAt: number | undefined
  /** The status of the response; null if there was none. */
  readonly answered: number | null
}

/** A separate address on the receiver. */
export type Mailbox = {
  /** Below the receiver's address; unguessable. */
  readonly path: string
  /** In order of arrival. */
  readonly deliveries: readonly Delivery[]
  /** Waits until that many have arrived; false on timeout. */
  readonly wait: (count: number, ms: number) => Promise<boolean>
  /** Later requests get 404. */
  readonly close: () => void
}

export type WebhookReceiver = {
  readonly port: number
  /** Answers are used in order, the last one repeatedly; 200 by default. */
  readonly open: (answers?: readonly ReceiverAnswer[]) => Mailbox
  readonly close: () => Promise<void>
}

/** A webhook's payload is small: larger requests are aborted. */
const longestBody = 1024 * 1024
/** Limit of a mailbox: above the needs of any check. */
const mostDeliveries = 5_000
const longestOfAll = 64 * longestBody

type Box = {
  readonly deliveries: Writable<Delivery>[]
  bytes: number
  readonly answers: readonly ReceiverAnswer[]
  readonly waiting: Set<() => void>
}
type Writable<T> = { -readonly [K in keyof T]: T[K] }

async function read(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > longestBody) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  )

function drip(response: ServerResponse, everyMs: number) {
  response.write('.')
  const timer = setInterval(() => response.write('.'), everyMs)
  response.once('close', () => clearInterval(timer))
}

function give(answer: ReceiverAnswer, response: ServerResponse) {
  if (answer === 'hang') return
  if (answer === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  const { status, headers, body, afterMs, dripMs } =
    typeof answer === 'number'
      ? ({ status: answer } as Exclude<ReceiverAnswer, number | string>)
      : answer
  const now = () => {
    response.writeHead(status, headers)
    if (dripMs === undefined) response.end(body ?? '')
    else drip(response, dripMs)
  }
  if (afterMs === undefined) return now()
  const timer = setTimeout(now, afterMs)
  response.once('close', () => clearTimeout(timer))
}

/** Starts a webhook receiver on this machine; port 0 is a free one. */
export async function startWebhookReceiver(
  listen: { readonly host?: string | undefined; readonly port?: number | undefined } = {},
): Promise<WebhookReceiver> {
  const boxes = new Map<string, Box>()

  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const at = performance.now()
    const body = await read(request)
    const path = (request.url ?? '').split('?')[0]!
    // A tunnel may add a path prefix.
    const box = boxes.get(path.slice(path.lastIndexOf('/')))
    if (body === undefined || box === undefined) {
      response.writeHead(body === undefined ? 413 : 404, { connection: 'close' }).end()
      return
    }
    box.bytes += body.length
    if (box.deliveries.length >= mostDeliveries || box.bytes > longestOfAll) {
      response.writeHead(429, { connection: 'close' }).end()
      return
    }
    const delivery: Writable<Delivery> = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: headersOf(request),
      rawHeaders: request.rawHeaders,
      body,
      at,
      gaveUpAt: undefined,
      answered: null,
    }
    response.once('close', () => {
      if (response.headersSent) delivery.answered = response.statusCode
      if (!response.writableFinished) delivery.gaveUpAt = performance.now()
    })
    box.deliveries.push(delivery)
    const last = box.answers.length - 1
    give(box.answers[Math.min(box.deliveries.length - 1, last)] ?? 200, response)
    for (const told of box.waiting) told()
  }

  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy())
  })
  const { port, close } = await listening(server, listen)
  return {
    port,
    open: (answers = [200]) => {
      const path = `/${randomUUID()}`
      const box: Box = { deliveries: [], bytes: 0, answers, waiting: new Set() }
      boxes.set(path, box)
      return {
        path,
        deliveries: box.deliveries,
        close: () => boxes.delete(path),
        wait: (count, ms) =>
          new Promise<boolean>((resolve) => {
            const look = () => {
              if (box.deliveries.length >= count) end(true)
            }
            const end = (found: boolean) => {
              clearTimeout(timer)
              box.waiting.delete(look)
              resolve(found)
            }
            const timer = setTimeout(() => end(false), ms)
            box.waiting.add(look)
            look()
          }),
      }
    },
    close,
  }
}
