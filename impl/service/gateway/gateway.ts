import { Hono } from 'hono'
import { cors } from 'hono/cors'
import pMap from 'p-map'
import type { Logger } from 'pino'
import {
  createTransfers,
  type Outgoing,
  TransferRefused,
  type Transfers,
} from 'polgate-lib/http/transfers.ts'
import type { Brand } from 'polgate-protocol/brand.ts'
import { monotonicClock } from 'polgate-protocol/clock.ts'
import { type JsonParts, stringifyExact } from 'polgate-protocol/exactJson.ts'
import { errorCode, type JsonRpcId, type JsonRpcResponse } from 'polgate-protocol/jsonRpc.ts'
import type { ServiceError } from 'polgate-protocol/serviceError.ts'
import { ServiceUnavailable } from 'polgate-protocol/serviceUnavailable.ts'
import type { StartScheduler } from '../scheduling/startScheduler.ts'
import { createOutageLog } from '../store/outageLog.ts'
import { StoreError } from '../store/storeError.ts'
import { authenticate } from './authentication.ts'
import { BodyTooLarge, parseBody, readBody, refuseEncoding } from './body.ts'
import { createDispatch } from './dispatch.ts'
import { parseCall } from './envelope.ts'
import { asServiceError, errorObject, invalidRequest, rateLimited, statusOf } from './errors.ts'
import { type Handlers, handlers, type MethodPorts } from './methods.ts'
import type { Metrics } from './metrics.ts'
import type { Caller, KeyPort } from './ports.ts'
import type { RateLimiter, RateLimits } from './rateLimit.ts'

export type GatewayLimits = {
  readonly bodyBytes: number
  readonly batchCalls: number
  /** Concurrent calls of one batch. */
  readonly batchConcurrency: number
}

/** Decision E2 and decisions, section 9. */
export const defaultLimits: GatewayLimits = {
  bodyBytes: 2 * 1024 * 1024,
  batchCalls: 100,
  batchConcurrency: 8,
}

export type GatewayDeps = MethodPorts & {
  readonly brand: Brand
  readonly version: string
  readonly apiKeys: KeyPort
  readonly limits: GatewayLimits
  readonly rateLimits: RateLimits
  readonly limiter: RateLimiter
  /** What slow clients hold; by default that of this listener alone. */
  readonly transfers?: Transfers | undefined
  readonly logger: Logger
  readonly metrics: Metrics
  /** Origins of pages that may call; none by default (decision E12). */
  readonly corsOrigins: readonly string[]
  /** Decides when expensive calls start. */
  readonly starts?: StartScheduler | undefined
  /** Overrides of the handlers of section 4, for deviating gateways. */
  readonly handlers?: Partial<Handlers> | undefined
}

/** One response, and its fields in the log. */
type Answer = { readonly body: string; readonly method: string; readonly error?: ServiceError }

const success = (result: unknown, id: JsonRpcId): string =>
  stringifyExact({ jsonrpc: '2.0', result, id } satisfies JsonRpcResponse)

const failure = (error: ServiceError, id: JsonRpcId): string =>
  stringifyExact({ jsonrpc: '2.0', error: errorObject(error), id } satisfies JsonRpcResponse)

/** The form of section 4.4; inside a batch with the id, which clients need to match it. */
const unavailable = (error: ServiceError, id: JsonRpcId): string =>
  stringifyExact({ result: null, error: { ServiceUnavailable: error.message }, id })

/**
 * The JSON-RPC listener (sections 4.1, 5.1, 7). Checks path, HTTP method, key, size, JSON,
 * envelope, method table, permission and parameters in this order; the first failure determines the
 * response.
 */
export function createGateway(deps: GatewayDeps): Hono {
  const { limits, limiter, logger, metrics, transfers = createTransfers() } = deps
  const { tasks, webhooks, sealedData, encryptionKeys } = deps
  const ports: MethodPorts = { tasks, webhooks, sealedData, encryptionKeys }
  const { dispatch, nameOf } = createDispatch({
    ...deps,
    handlers: { ...handlers, ...deps.handlers },
  })

  const outages = createOutageLog(logger, monotonicClock)
  const logInternal = (error: ServiceError, fields: object = {}) => {
    if (error.cause instanceof StoreError) outages.failed(error.cause)
    else logger.error({ ...fields, err: error.cause ?? error }, 'internal error')
  }

  const takeToken = async (caller: Caller) => {
    const wait = await limiter.take(caller.keyId, deps.rateLimits.perKey)
    if (wait > 0) throw rateLimited(wait)
  }

  /**
   * Executes one call; never throws. The request's rate limit covers one call, the first of a
   * batch.
   */
  const answer = async (
    value: unknown,
    exact: JsonParts['exact'],
    caller: Caller,
    place?: number,
  ): Promise<Answer> => {
    const started = monotonicClock()
    let id: JsonRpcId = null
    let method = 'none'
    metrics.begin()
    try {
      const call = parseCall(value, exact)
      id = call.id
      method = nameOf(call.method) ?? 'none'
      if (place !== undefined && place > 0) await takeToken(caller)
      const context = { ...ports, caller }
      const result = await dispatch(call, context)
      const body = success(result, id)
      metrics.end(method, 'result', monotonicClock() - started)
      return { body, method }
    } catch (thrown) {
      const error = asServiceError(thrown)
      if (error.code === errorCode.internalError && !(error instanceof ServiceUnavailable))
        logInternal(error, { method, keyId: caller.keyId })
      metrics.end(method, String(error.code), monotonicClock() - started)
      const body =
        error instanceof ServiceUnavailable
          ? unavailable(error, place === undefined ? null : id)
          : failure(error, id)
      return { body, method, error }
    }
  }

  const answerBatch = async (
    values: readonly unknown[],
    exact: JsonParts['exact'],
    caller: Caller,
  ): Promise<string> => {
    if (values.length === 0) throw invalidRequest('a batch must contain at least one call')
    if (values.length > limits.batchCalls)
      throw invalidRequest(`a batch must contain at most ${limits.batchCalls} calls`)
    const answers = await pMap(values, (value, place) => answer(value, exact, caller, place), {
      concurrency: limits.batchConcurrency,
    })
    return `[${answers.map(({ body }) => body).join(',')}]`
  }

  const json = (
    body: string | ReadableStream,
    status: number,
    headers: Record<string, string> = {},
  ) =>
    new Response(body, {
      status,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    })

  /** A response that is only an error, with its HTTP status (decision E8). */
  const refuse = (
    error: ServiceError,
    body = failure(error, null),
    headers: Record<string, string> = {},
  ): Response => {
    const status = error instanceof ServiceUnavailable ? 200 : statusOf(error)
    const wait = error.data?.retry_after_seconds
    if (status === 429) return json(body, status, { 'retry-after': String(wait), ...headers })
    if (status === 401) return json(body, status, { 'www-authenticate': 'Bearer' })
    return json(body, status)
  }

  /** The rest of a body that is not received is not read either. */
  const refuseTransfer = ({ why, message }: TransferRefused): Response => {
    const headers = { connection: 'close' }
    if (why === 'too-many') return refuse(rateLimited(1), undefined, headers)
    return json(failure(invalidRequest(message), null), 408, headers)
  }

  const serveCalls = async (
    request: Request,
    outgoing: Outgoing | undefined,
    note: (line: object) => void,
  ): Promise<Response> => {
    const counted = (body: string) => {
      transfers.respond(caller.keyId, Buffer.byteLength(body), outgoing)
      return body
    }
    const caller = await authenticate(deps.apiKeys, request.headers.get('authorization'))
    outages.served()
    note({ keyId: caller.keyId })
    const { value, exact } = await readCalls(request, caller)
    if (Array.isArray(value)) {
      note({ method: 'batch', calls: value.length })
      return json(counted(await answerBatch(value, exact, caller)), 200)
    }
    const { body, method, error } = await answer(value, exact, caller)
    note({ method, ...(error === undefined ? {} : { code: error.code }) })
    return error === undefined ? json(counted(body), 200) : refuse(error, body)
  }

  const readCalls = async (request: Request, caller: Caller): Promise<JsonParts> => {
    await takeToken(caller)
    refuseEncoding(request)
    const { keyId: key } = caller
    return parseBody(await readBody(request, { limit: limits.bodyBytes, key, transfers }))
  }

  /**
   * Sent immediately and completely. The response stays open until the body has been discarded:
   * closing the connection while the client sends would lose the response, and a proxy would return
   * 502.
   */
  const tooLarge = ({ drain }: BodyTooLarge): Response => {
    const error = invalidRequest(`the body is larger than ${limits.bodyBytes} bytes`)
    const bytes = Buffer.from(failure(error, null))
    let gone = false
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes)
        void drain().then(() => {
          if (!gone) controller.close()
        })
      },
      cancel() {
        gone = true
      },
    })
    const headers = { 'content-length': String(bytes.length), connection: 'close' }
    return json(stream, 413, headers)
  }

  const app = new Hono()
  if (deps.corsOrigins.length > 0)
    app.use(
      '/rpc',
      cors({
        origin: [...deps.corsOrigins],
        allowMethods: ['POST'],
        allowHeaders: ['authorization', 'content-type', 'traceparent', 'tracestate'],
        exposeHeaders: ['retry-after'],
      }),
    )
  app.post('/rpc', async (c) => {
    const started = monotonicClock()
    let line: Record<string, unknown> = {}
    const note = (more: object) => {
      line = { ...line, ...more }
    }
    const { outgoing } = (c.env ?? {}) as { readonly outgoing?: Outgoing }
    const response = await serveCalls(c.req.raw, outgoing, note).catch((thrown: unknown) => {
      if (thrown instanceof BodyTooLarge) return tooLarge(thrown)
      if (thrown instanceof TransferRefused) return refuseTransfer(thrown)
      const error = asServiceError(thrown)
      if (error.code === errorCode.internalError) logInternal(error)
      note({ code: error.code })
      return refuse(error)
    })
    logger.info({ ...line, status: response.status, ms: monotonicClock() - started }, 'rpc')
    return response
  })
  app.all('/rpc', (c) => c.text('Method Not Allowed\n', 405, { allow: 'POST' }))
  app.notFound((c) => c.text('Not Found\n', 404))
  return app
}
