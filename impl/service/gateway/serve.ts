import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import { foreignCaller } from 'polgate-protocol/localCaller.ts'

export type ServeOptions = {
  readonly fetch: (request: Request) => Response | Promise<Response>
  /** 0 takes a free one. */
  readonly port: number
  readonly hostname: string
  /**
   * Whether only programs of this machine are served: requests from browsers, and those that name
   * another host, are answered with 403.
   */
  readonly localOnly?: boolean | undefined
  /** A declared body of more is not asked for with `100 Continue`; the app refuses it. */
  readonly bodyBytes?: number | undefined
  /** How long requests under way may take to end when the server closes. */
  readonly graceMilliseconds?: number | undefined
}

export type Listener = {
  readonly url: string
  readonly port: number
  /** The node server, for protocols that begin with an upgrade. */
  readonly server: Server
  /**
   * Takes no new connection, lets requests under way end, then ends every connection.
   *
   * @param work what has to be over before the grace begins, such as that which is to be answered
   */
  close(work?: Promise<unknown>): Promise<void>
}

type Env = { readonly incoming: IncomingMessage }

/** The URL of the request is made of its Host header; the socket knows the port. */
const localOnly =
  (fetch: ServeOptions['fetch']) =>
  (request: Request, env?: unknown): Response | Promise<Response> => {
    const { incoming } = env as Env
    const why = foreignCaller(incoming.headers, incoming.socket.localPort ?? 0)
    return why === undefined ? fetch(request) : Response.json({ error: why }, { status: 403 })
  }

/**
 * Serves an app over HTTP.
 *
 * @throws the error of the system when the port is taken
 */
export const serve = async (options: ServeOptions): Promise<Listener> => {
  const { hostname, graceMilliseconds = 1000 } = options
  const fetch = options.localOnly ? localOnly(options.fetch) : options.fetch
  const server = createAdaptorServer({
    fetch,
    hostname,
    // A body has to arrive in this time, headers sooner: slow senders hold no connection.
    serverOptions: { requestTimeout: 60_000, headersTimeout: 20_000, keepAliveTimeout: 10_000 },
  }) as Server
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const declared = Number(request.headers['content-length'] ?? 0)
    if (declared <= (options.bodyBytes ?? Number.POSITIVE_INFINITY)) response.writeContinue()
    server.emit('request', request, response)
  })
  const { url, port } = await listen(server, { port: options.port, host: hostname })
  const close = (work?: Promise<unknown>) => drain(server, { graceMs: graceMilliseconds, work })
  return { url, port, server, close }
}
