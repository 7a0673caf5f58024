import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import { connectionLimit } from 'polgate-lib/http/connectionLimit.ts'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import type { KeyMember } from '../threshold/keyHolder.ts'
import { serveKeyShare } from './keyShareServer.ts'
import type { Operator } from './operator.ts'
import { bodyGate, requestGate } from './requestGate.ts'
import { healthPath, operatorBodyLimit, operatorPaths, toWireError } from './wire.ts'

export type OperatorServerOptions = {
  readonly operator: Operator
  /** In threshold mode. */
  readonly keyHolder?: KeyMember | undefined
  /** Shared with the gateway. */
  readonly token: string
  /** During a rotation of the token: the previous one, which the gateway may still use. */
  readonly previousToken?: string | undefined
  readonly clock: Clock
  /** Default 127.0.0.1. */
  readonly host?: string | undefined
  /** Default: a free port. */
  readonly port?: number | undefined
  readonly bounds?: Partial<OperatorServerBounds> | undefined
  /** Called with unexpected errors; the gateway only learns that the operator failed. */
  readonly onFault?: ((error: unknown) => void) | undefined
  /** Wraps accepted calls, for instance as spans of the gateway's trace. */
  readonly around?: MiddlewareHandler | undefined
}

export type OperatorServerBounds = {
  /** Maximum number of concurrent calls. */
  readonly maxCalls: number
  readonly maxConnections: number
  /** Time limits for headers and for the whole request, milliseconds. */
  readonly headersMs: number
  readonly requestMs: number
  /** Keep-alive of idle connections, milliseconds; longer than that of the gateway. */
  readonly keepAliveMs: number
  /** How long calls in flight may take during shutdown, milliseconds. */
  readonly drainMs: number
}

const defaultBounds: OperatorServerBounds = {
  maxCalls: 512,
  maxConnections: 1024,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 15_000,
  drainMs: 10_000,
}

export type OperatorServer = {
  readonly url: string
  /** Stops accepting connections, waits for calls in flight, then ends every connection. */
  close(): Promise<void>
}

/** Serves one operator to its gateway. Closing the connection aborts the call. */
export async function serveOperator(options: OperatorServerOptions): Promise<OperatorServer> {
  const { operator, token, previousToken, clock, onFault = () => {} } = options
  const bounds = { ...defaultBounds, ...options.bounds }
  const app = new Hono()
  const { maxCalls } = bounds
  const secrets = previousToken === undefined ? [token] : [token, previousToken]

  // Errors of incomplete requests are the client's; details of other failures are not exposed.
  app.onError((error, c) =>
    error instanceof HTTPException ? error.getResponse() : c.json({ error: 'bad request' }, 400),
  )
  app.get(healthPath, (c) => c.json({ ok: true }))
  app.use(requestGate({ address: operator.address, secrets, clock, maxCalls }))
  app.use(bodyLimit({ maxSize: operatorBodyLimit }), bodyGate)
  if (options.around !== undefined) app.use(options.around)
  app.post(operatorPaths.identity, (c) =>
    c.json({ answer: { address: operator.address, id: operator.id } }),
  )
  app.post(operatorPaths.collectData, (c) => answer(c, operator.collectData, onFault))
  app.post(operatorPaths.evaluate, (c) => answer(c, operator.evaluate, onFault))
  app.post(operatorPaths.beginOpening, (c) => answer(c, operator.beginOpening, onFault))
  app.post(operatorPaths.sign, (c) => answer(c, operator.sign, onFault))
  app.post(operatorPaths.checkSecrets, (c) => answer(c, operator.checkSecrets, onFault))
  if (options.keyHolder !== undefined) serveKeyShare(app, options.keyHolder)

  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: {
      headersTimeout: bounds.headersMs,
      requestTimeout: bounds.requestMs,
      keepAliveTimeout: bounds.keepAliveMs,
      // Node checks timeouts every 30 seconds by default.
      connectionsCheckingInterval: Math.min(1_000, bounds.headersMs),
    },
  }) as Server
  server.maxConnections = Math.min(bounds.maxConnections, connectionLimit(1 / 2) ?? Infinity)
  const { url } = await listen(server, options)
  return { url, close: () => drain(server, { graceMs: bounds.drainMs }) }
}

async function answer<Request, Answer>(
  c: Context,
  call: (request: Request, signal: AbortSignal) => Promise<Answer>,
  onFault: (error: unknown) => void,
): Promise<Response> {
  try {
    return c.json({ answer: await call(await c.req.json<Request>(), c.req.raw.signal) })
  } catch (error) {
    if (!(error instanceof ServiceError) && !c.req.raw.signal.aborted) onFault(error)
    return c.json({ error: toWireError(error) }, 200)
  }
}
