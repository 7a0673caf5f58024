import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import { mockHeaders } from './mockHeaders.ts'
import type { JsonValue, OracleExchange, OracleHandler, OracleRequest } from './oracleExchange.ts'
import { OracleReply, replyJson, type TransportFault } from './oracleReply.ts'

/** The listener that answers for mocked hosts, in the process of the test. */
export type MockServer = {
  readonly url: string
  /** @returns the exchanges of the host, which grow */
  add(host: string, handler: OracleHandler): readonly OracleExchange[]
  remove(host: string): void
  close(): Promise<void>
}

const maxExchanges = 1_000
/** More than an oracle may send. */
const maxBody = 2 * 1024 * 1024

type Mock = { readonly handler: OracleHandler; readonly exchanges: OracleExchange[] }

/** @param token that the stack sends, so that nothing else on this machine is answered */
export async function startMockServer(token: string): Promise<MockServer> {
  const mocks = new Map<string, Mock>()
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy())
  })
  const { url } = await listen(server)
  server.unref()

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { [mockHeaders.token]: given, [mockHeaders.origin]: origin, ...rest } = incoming.headers
    if (!sameText(String(given ?? ''), token)) return void response.writeHead(403).end()
    // Not relative to the origin: the path //a/b would name a host.
    const request = await requestOf(incoming, new URL(`${origin}${incoming.url}`), rest)
    const mock = mocks.get(request.url.host) ?? mocks.get(request.url.hostname)
    const reply =
      mock === undefined
        ? replyJson({ error: `the mock of ${request.url.host} was removed` }, { status: 503 })
        : await replyOf(mock, request)
    if (reply.delayMs > 0)
      await new Promise((resolve) => setTimeout(resolve, reply.delayMs).unref())
    mock?.exchanges.push({
      request,
      status: reply.status,
      responseBody: reply.body === undefined ? '' : Buffer.from(reply.body).toString('utf8'),
    })
    if ((mock?.exchanges.length ?? 0) > maxExchanges) mock?.exchanges.shift()
    if (reply.fault !== undefined) fail(response, reply.fault, reply.body ?? '')
    else if (reply.body === undefined) response.destroy()
    else response.writeHead(reply.status, reply.headers).end(reply.body)
  }

  return {
    url,
    add(host, handler) {
      const mock = { handler, exchanges: [] }
      mocks.set(host, mock)
      return mock.exchanges
    },
    remove: (host) => void mocks.delete(host),
    close: () => drain(server),
  }
}

function fail(response: ServerResponse, fault: TransportFault, body: string | Uint8Array): void {
  const { socket } = response
  if (fault === 'hang') return
  if (fault === 'reset') return void socket?.resetAndDestroy()
  if (fault === 'invalid') return void socket?.end('\0\0 this is not HTTP\r\n\r\n')
  const whole = Buffer.from(body)
  response.writeHead(200, { 'content-length': whole.length, 'content-type': 'application/json' })
  response.write(whole.subarray(0, Math.floor(whole.length / 2)), () => response.destroy())
}

async function requestOf(
  incoming: IncomingMessage,
  url: URL,
  headers: IncomingMessage['headers'],
): Promise<OracleRequest> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBody) throw new RangeError('the request of the oracle is too large')
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks).toString('utf8')
  const own = Object.entries(headers).filter(([name]) => name !== 'host' && name !== 'connection')
  return {
    method: incoming.method ?? 'GET',
    url,
    headers: {
      ...Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
      host: url.host,
    },
    body,
    json: () => JSON.parse(body) as JsonValue,
  }
}

/** A handler that throws is an outage of its host, and tells the oracle why. */
async function replyOf({ handler }: Mock, request: OracleRequest): Promise<OracleReply> {
  let answer: unknown
  try {
    answer = await handler(request)
  } catch (error) {
    return replyJson({ error: `the mock threw: ${(error as Error).message}` }, { status: 500 })
  }
  if (answer instanceof OracleReply) return answer
  if (!(answer instanceof Response)) return replyJson(answer ?? null)
  return new OracleReply({
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: new Uint8Array(await answer.arrayBuffer()),
    delayMs: 0,
  })
}

function sameText(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}
