import type { MiddlewareHandler } from 'hono'
import type { Operator } from '../operators/operator.ts'
import type { OperatorTools } from '../operators/operatorParts.ts'
import { hostAndPort } from '../oracles/egress.ts'
import type { HostFetch, HostRequest } from '../oracles/hostFetch.ts'
import { attribute } from './attributes.ts'
import { recordStatus } from './tracedGateway.ts'
import type { Tracing } from './tracing.ts'

/** The gateway's view of an operator, in this process or another one. */
export function tracedOperator(tracing: Tracing, operator: Operator): Operator {
  const { address, id } = operator
  const attributes = { [attribute.operator]: address, [attribute.operatorId]: id }
  const calling =
    <Request, Answer>(
      name: string,
      call: (request: Request, signal: AbortSignal) => Promise<Answer>,
      more: (request: Request) => Record<string, string | number> = () => ({}),
    ) =>
    (request: Request, signal: AbortSignal): Promise<Answer> =>
      tracing.span(name, { kind: 'client', attributes: { ...attributes, ...more(request) } }, () =>
        call(request, signal),
      )
  return {
    address,
    id,
    collectData: calling('operator collect', operator.collectData, ({ sources }) => ({
      [attribute.sources]: sources.length,
    })),
    evaluate: calling('operator evaluate', operator.evaluate),
    beginOpening: calling('operator open', operator.beginOpening),
    sign: calling('operator sign', operator.sign),
    checkSecrets: calling('operator check secrets', operator.checkSecrets),
  }
}

/** What an operator does: contents, oracle runs, evaluations. */
export function tracedTools(tracing: Tracing, tools: OperatorTools): OperatorTools {
  const { content, oracles, evaluator, secretsCheck } = tools
  return {
    ...tools,
    content: {
      get: (cid, options) =>
        tracing.child('fetch content', { attributes: { [attribute.cid]: cid } }, () =>
          content.get(cid, options),
        ),
    },
    oracles: {
      ...oracles,
      load: (component, options) =>
        tracing.child('load oracle', { attributes: { [attribute.cid]: options.cid } }, () =>
          oracles.load(component, options),
        ),
      run: (run) =>
        tracing.child('run oracle', { attributes: { [attribute.cid]: run.cid } }, async (span) => {
          const result = await oracles.run(run)
          const { httpCalls, stages } = result.stats
          span?.setAttributes({
            [attribute.httpCalls]: httpCalls,
            [attribute.waitMs]: stages.waitMs,
            [attribute.instantiateMs]: stages.instantiateMs,
            [attribute.computeMs]: stages.guestMs,
            [attribute.hostMs]: stages.hostMs,
          })
          return result
        }),
    },
    evaluator: {
      ...evaluator,
      evaluate: (evaluation, signal) =>
        tracing.child('evaluate policy', {}, () => evaluator.evaluate(evaluation, signal)),
    },
    secretsCheck: {
      ...secretsCheck,
      check: (...given) => tracing.child('check secrets', {}, () => secretsCheck.check(...given)),
    },
  }
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])

/**
 * The HTTP calls of one oracle run: method, host and status, never a path, a query, a header or a body,
 * which may be secrets. `traceparent` is sent only to the given hosts.
 */
export function tracedOracleFetch(
  tracing: Tracing,
  hosts: readonly string[],
  fetch: HostFetch,
): HostFetch {
  // Messages of the run's thread arrive outside of its context.
  const parent = tracing.activeContext()
  return (request, signal) => {
    const asked = request.method.toUpperCase()
    const method = methods.has(asked) ? asked : '_OTHER'
    const host = hostOf(request.url)
    const attributes = {
      'http.request.method': method,
      ...(host !== undefined && { 'server.address': host }),
    }
    return tracing.child(
      `oracle ${method}`,
      { kind: 'client', attributes, parent },
      async (span) => {
        const isTraced = host !== undefined && hosts.includes(host) && !namesTrace(request)
        const sent = isTraced
          ? { ...request, headers: [...request.headers, ...Object.entries(tracing.headers())] }
          : request
        const response = await fetch(sent, signal)
        span?.setAttribute('http.response.status_code', response.status)
        return response
      },
    )
  }
}

/** `host:port`, without user and password. */
const hostOf = (url: string): string | undefined =>
  URL.canParse(url) ? hostAndPort(new URL(url)).slice(0, 255) : undefined

/** The oracle is part of another trace. */
const namesTrace = ({ headers }: HostRequest): boolean =>
  headers.some(([name]) => name.toLowerCase() === 'traceparent')

/** Calls that an operator process has accepted, in the trace of its gateway. */
export const tracedCalls =
  (tracing: Tracing): MiddlewareHandler =>
  (c, next) => {
    const route = c.req.path
    return tracing.span(
      `POST ${route.slice(0, 40)}`,
      {
        kind: 'server',
        attributes: { 'http.request.method': 'POST', 'http.route': route.slice(0, 40) },
        parent: tracing.contextOf((name) => c.req.header(name)),
      },
      async (span) => {
        await next()
        recordStatus(span, c.res.status)
      },
    )
  }
