import type { IncomingMessage } from 'node:http'
import type { Span } from '@opentelemetry/api'
import type { GatewayDeps } from '../gateway/gateway.ts'
import { type HandlerContext, type Handlers, handlers } from '../gateway/methods.ts'
import type { KeyPort } from '../gateway/ports.ts'
import type { ServeOptions } from '../gateway/serve.ts'
import type { AroundHandshake } from '../gateway/updates/updateServer.ts'
import { attribute } from './attributes.ts'
import { recordFailure, type Tracing } from './tracing.ts'

const route = '/rpc'
/** The URL is built from a header of the caller, and may be invalid. */
const isRoute = /^https?:\/\/[^/]*\/rpc(?:\?|$)/

/** A span for each `POST /rpc`, in the trace of the caller's `traceparent`. */
export const tracedFetch =
  (tracing: Tracing, fetch: ServeOptions['fetch']): ServeOptions['fetch'] =>
  async (request) => {
    if (request.method !== 'POST' || !isRoute.test(request.url)) return await fetch(request)
    const attributes = { 'http.request.method': 'POST', 'http.route': route }
    const parent = tracing.contextOf((name) => request.headers.get(name))
    return await tracing.span(
      `POST ${route}`,
      { kind: 'server', attributes, parent },
      async (span) => {
        const response = await fetch(request)
        recordStatus(span, response.status)
        return response
      },
    )
  }

/** A refusal is the caller's; from 500 on it is a fault of this service. */
export function recordStatus(span: Span, status: number): void {
  span.setAttribute('http.response.status_code', status)
  if (status >= 500) recordFailure(span, { type: String(status), message: '' })
}

/** The parts of the gateway, with a span for each call, also of a batch. */
export function tracedGateway(tracing: Tracing, deps: GatewayDeps): GatewayDeps {
  const answered = new WeakSet<Span>()
  return {
    ...deps,
    apiKeys: tracedKeys(tracing, deps.apiKeys),
    handlers: tracedHandlers(tracing, { ...handlers, ...deps.handlers }),
    metrics: {
      begin: () => deps.metrics.begin(),
      end(method, outcome, milliseconds) {
        deps.metrics.end(method, outcome, milliseconds)
        const span = tracing.activeSpan()
        if (span === undefined) return
        const isBatch = answered.has(span)
        answered.add(span)
        span.setAttribute('rpc.method', isBatch ? 'batch' : method)
        if (outcome === 'result') return
        if (isBatch) span.addEvent('call failed', { 'rpc.method': method, 'error.type': outcome })
        else span.setAttribute('rpc.response.status_code', outcome)
      },
    },
  }
}

export const tracedKeys = (tracing: Tracing, keys: KeyPort): KeyPort => ({
  async lookup(key) {
    const record = await keys.lookup(key)
    if (record !== undefined) tracing.activeSpan()?.setAttribute(attribute.keyId, record.id)
    return record
  },
})

function tracedHandlers(tracing: Tracing, table: Handlers): Handlers {
  type Handler = (params: unknown, context: HandlerContext) => Promise<unknown>
  const entries = Object.entries(table as Readonly<Record<string, Handler>>)
  const traced = entries.map(([method, handler]): [string, Handler] => {
    const attributes = { 'rpc.system.name': 'jsonrpc', 'rpc.method': method }
    return [
      method,
      (params, context) => tracing.span(method, { attributes }, () => handler(params, context)),
    ]
  })
  return Object.fromEntries(traced) as Handlers
}

/** A span for each handshake of a WebSocket. */
export const tracedHandshake =
  (tracing: Tracing): AroundHandshake =>
  (request, handshake) =>
    tracing.span(
      'GET /ws',
      {
        kind: 'server',
        attributes: { 'http.request.method': 'GET', 'http.route': '/ws' },
        parent: tracing.contextOf((name) => singleHeader(request, name)),
      },
      handshake,
    )

function singleHeader({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
