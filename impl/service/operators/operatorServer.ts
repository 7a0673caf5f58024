import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import type { KeyHolder } from '../threshold/keyHolder.ts'
import { serveKeyShare } from './keyShareServer.ts'
import type { Operator } from './operator.ts'
import { bodyGate, requestGate } from './requestGate.ts'
import { healthPath, operatorBodyLimit, operatorPaths, toWireError } from './wire.ts'

export type OperatorServerOptions = {
  readonly operator: Operator
  /** In threshold mode. */
  readonly keyHolder?: KeyHolder | undefined
  /** Shared with the gateway. */
  readonly token: string
  /** While the token is being changed: the one before, with which the gateway may still come. */
  readonly previousToken?: string | undefined
  readonly clock: Clock
  /** Default 127.0.0.1. */
  readonly host?: string | undefined
  /** Default: a free one. */
  readonly port?: number | undefined
  readonly bounds?: Partial<OperatorServerBounds> | undefined
  /** Told of what was not foreseen; the gateway is told only that the operator failed. */
  readonly onFault?: ((error: unknown) => void) | undefined
}

export type OperatorServerBounds = {
  /** Calls at once. */
  readonly maxCalls: number
  readonly maxConnections: number
  /** How long a client may take to send its headers, and all of its request, milliseconds. */
  readonly headersMs: number
  readonly requestMs: number
  /** How long an idle connection is kept, milliseconds; longer than the gateway keeps it. */
  readonly keepAliveMs: number
  /** How long calls under way may still take when the server closes, milliseconds. */
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
  /** Takes no new connection, lets calls under way end, then ends every connection. */
  close(): Promise<void>
}

/** Serves one operator to its gateway. A call whose connection closes is aborted. */
export async function serveOperator(options: OperatorServerOptions): Promise<OperatorServer> {
  const { operator, token, previousToken, clock, onFault = () => {} } = options
  const bounds = { ...defaultBounds, ...options.bounds }
  const app = new Hono()
  const { maxCalls } = bounds
  const secrets = previousToken === undefined ? [token] : [token, previousToken]

  // A request that breaks off is no matter of ours, and nothing of another failure is told.
  app.onError((error, c) =>
    error instanceof HTTPException ? error.getResponse() : c.json({ error: 'bad request' }, 400),
  )
  app.get(healthPath, (c) => c.json({ ok: true }))
  app.use(requestGate({ address: operator.address, secrets, clock, maxCalls }))
  app.use(bodyLimit({ maxSize: operatorBodyLimit }), bodyGate)
  app.post(operatorPaths.identity, (c) =>
    c.json({ answer: { address: operator.address, id: operator.id } }),
  )
  app.post(operatorPaths.collectData, (c) => answer(c, operator.collectData, onFault))
  app.post(operatorPaths.evaluate, (c) => answer(c, operator.evaluate, onFault))
  app.post(operatorPaths.sign, (c) => answer(c, operator.sign, onFault))
  app.post(operatorPaths.checkSecrets, (c) => answer(c, operator.checkSecrets, onFault))
  if (options.keyHolder !== undefined) serveKeyShare(app, options.keyHolder)

  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: {
      headersTimeout: bounds.headersMs,
      requestTimeout: bounds.requestMs,
      keepAliveTimeout: bounds.keepAliveMs,
      // By default connections are looked at twice a minute only.
      connectionsCheckingInterval: Math.min(1_000, bounds.headersMs),
    },
  }) as Server
  server.maxConnections = bounds.maxConnections
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
