import { createHash, timingSafeEqual } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { KeyHolder } from '../threshold/keyHolder.ts'
import { serveKeyShare } from './keyShareServer.ts'
import type { Operator } from './operator.ts'
import { operatorBodyLimit, operatorPaths, toWireError } from './wire.ts'

export type OperatorServerOptions = {
  readonly operator: Operator
  /** In threshold mode. */
  readonly keyHolder?: KeyHolder | undefined
  /** Shared with the gateway; compared in constant time. */
  readonly token: string
  /** Default 127.0.0.1. */
  readonly host?: string | undefined
  /** Default: a free one. */
  readonly port?: number | undefined
}

export type OperatorServer = { readonly url: string; close(): Promise<void> }

/** Serves one operator to its gateway. A call whose connection closes is aborted. */
export async function serveOperator(options: OperatorServerOptions): Promise<OperatorServer> {
  const { operator } = options
  const app = new Hono()
  const expected = digest(`Bearer ${options.token}`)

  app.use(async (c, next) => {
    const given = digest(c.req.header('authorization') ?? '')
    if (!timingSafeEqual(given, expected)) return c.json({ error: 'unauthorized' }, 401)
    return next()
  })
  app.use(bodyLimit({ maxSize: operatorBodyLimit }))
  app.get(operatorPaths.identity, (c) => c.json({ address: operator.address, id: operator.id }))
  app.post(operatorPaths.collectData, (c) => answer(c, operator.collectData))
  app.post(operatorPaths.evaluate, (c) => answer(c, operator.evaluate))
  app.post(operatorPaths.sign, (c) => answer(c, operator.sign))
  app.post(operatorPaths.checkSecrets, (c) => answer(c, operator.checkSecrets))
  if (options.keyHolder !== undefined) serveKeyShare(app, options.keyHolder)

  const server = await new Promise<Server>((resolve, reject) => {
    const listening = serve(
      { fetch: app.fetch, hostname: options.host ?? '127.0.0.1', port: options.port ?? 0 },
      () => resolve(listening as Server),
    )
    listening.on('error', reject)
  })
  const { address, port } = server.address() as AddressInfo
  return {
    url: `http://${address}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Equal length whatever was given, so that the comparison tells nothing. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

async function answer<Request, Answer>(
  c: Context,
  call: (request: Request, signal: AbortSignal) => Promise<Answer>,
): Promise<Response> {
  try {
    return c.json({ answer: await call(await c.req.json<Request>(), c.req.raw.signal) })
  } catch (error) {
    return c.json({ error: toWireError(error) }, 200)
  }
}
