import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { createAdaptorServer } from '@hono/node-server'
import { connectionLimit } from 'polgate-lib/http/connectionLimit.ts'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import { foreignCaller } from 'polgate-protocol/localCaller.ts'

export type ServeOptions = {
  /** `env` holds Node's objects of the request: `incoming` and `outgoing`. */
  readonly fetch: (request: Request, env?: unknown) => Response | Promise<Response>
  /** 0 for a free port. */
  readonly port: number
  readonly hostname: string
  /**
   * Whether to serve local programs only: requests from browsers, and with other host names, are
   * answered with 403.
   */
  readonly localOnly?: boolean | undefined
  /** No `100 Continue` for a larger declared body, which the app rejects. */
  readonly bodyBytes?: number | undefined
  /** The share of the file handles of this process that its connections may take. Default: a sixteenth. */
  readonly connectionShare?: number | undefined
  /** How long requests in flight may take when the server closes. */
  readonly graceMilliseconds?: number | undefined
}

export type Listener = {
  readonly url: string
  readonly port: number
  /** The Node server, for protocols that start with an upgrade. */
  readonly server: Server
  /** Why it accepts no further connections at the moment. */
  refuses(): Promise<string | undefined>
  /**
   * Stops accepting connections, waits for requests in flight, then ends every connection.
   *
   * @param work must end before the grace period starts, for instance work with waiting callers
   */
  close(work?: Promise<unknown>): Promise<void>
}

type Env = { readonly incoming: IncomingMessage }

/** The request's URL is built from its Host header; the port comes from the socket. */
const localOnly =
  (fetch: ServeOptions['fetch']) =>
  (request: Request, env?: unknown): Response | Promise<Response> => {
    const { incoming } = env as Env
    const why = foreignCaller(incoming.headers, incoming.socket.localPort ?? 0)
    return why === undefined ? fetch(request, env) : Response.json({ error: why }, { status: 403 })
  }

/**
 * Serves an app over HTTP.
 *
 * @throws the system error if the port is in use
 */
export async function serve(options: ServeOptions): Promise<Listener> {
  const { hostname, graceMilliseconds = 1000 } = options
  const fetch = options.localOnly ? localOnly(options.fetch) : options.fetch
  const server = createAdaptorServer({
    fetch,
    hostname,
    // Time limits for body and headers, so that slow senders hold no connection.
    serverOptions: { requestTimeout: 60_000, headersTimeout: 20_000, keepAliveTimeout: 10_000 },
  }) as Server
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const declared = Number(request.headers['content-length'] ?? 0)
    if (declared <= (options.bodyBytes ?? Number.POSITIVE_INFINITY)) response.writeContinue()
    server.emit('request', request, response)
  })
  const { connectionShare } = options
  const share = connectionShare === undefined ? undefined : connectionLimit(connectionShare)
  if (share !== undefined) server.maxConnections = share
  const { url, port } = await listen(server, { port: options.port, host: hostname })
  const close = (work?: Promise<unknown>) => drain(server, { graceMs: graceMilliseconds, work })
  const refuses = async () => {
    const open = await promisify(server.getConnections.bind(server))()
    return server.maxConnections && open >= server.maxConnections
      ? `${open} are open, and the limit of file handles allows no more`
      : undefined
  }
  return { url, port, server, refuses, close }
}
