import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { foreignCaller } from 'polgate-protocol/localCaller.ts'

export type ServeOptions = {
  readonly fetch: (request: Request) => Response | Promise<Response>
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
  /** How long requests in flight may take when the server closes. */
  readonly graceMilliseconds?: number | undefined
}

export type Listener = {
  readonly url: string
  readonly port: number
  /** The Node server, for protocols that start with an upgrade. */
  readonly server: Server
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
    return why === undefined ? fetch(request) : Response.json({ error: why }, { status: 403 })
  }

/**
 * Serves an app over HTTP.
 *
 * @throws the system error if the port is in use
 */
export const serve = (options: ServeOptions): Promise<Listener> => {
  const { port, hostname, graceMilliseconds = 1000 } = options
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
  const close = (work: Promise<unknown> = Promise.resolve()) =>
    new Promise<void>((resolve) => {
      // Busy connections become idle after close() and are not ended by Node.
      const sweep = setInterval(() => server.closeIdleConnections(), 20)
      let force: NodeJS.Timeout | undefined
      let closed = false
      const grace = () => {
        if (!closed) force = setTimeout(() => server.closeAllConnections(), graceMilliseconds)
      }
      work.then(grace, grace)
      server.close(() => {
        closed = true
        clearInterval(sweep)
        clearTimeout(force)
        resolve()
      })
      server.closeIdleConnections()
    })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, hostname, () => {
      server.off('error', reject)
      const address = server.address() as AddressInfo
      const host = hostname.includes(':') ? `[${hostname}]` : hostname
      resolve({ url: `http://${host}:${address.port}`, port: address.port, server, close })
    })
  })
}
