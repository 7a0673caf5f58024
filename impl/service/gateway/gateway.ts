import { Hono } from 'hono'
import { cors } from 'hono/cors'
import pMap from 'p-map'
import type { Logger } from 'pino'
import type { Brand } from 'polgate-protocol/brand.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import { stringifyExact } from 'polgate-protocol/exactJson.ts'
import { errorCode, type JsonRpcId, type JsonRpcResponse } from 'polgate-protocol/jsonRpc.ts'
import type { ServiceError } from 'polgate-protocol/serviceError.ts'
import { ServiceUnavailable } from 'polgate-protocol/serviceUnavailable.ts'
import type { PacedStarts } from '../scheduling/pacedStarts.ts'
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
  /** Calls of one batch that run at the same time. */
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
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  /** Origins that browsers may call from; none by default (decision E12). */
  readonly corsOrigins: readonly string[]
  /** When calls that are dear may begin. */
  readonly starts?: PacedStarts | undefined
  /** Instead of the ones of section 4: how a deviating gateway is built. */
  readonly handlers?: Partial<Handlers> | undefined
}

/** One answer, and what the log says of it. */
type Answer = { readonly body: string; readonly method: string; readonly error?: ServiceError }

const success = (result: unknown, id: JsonRpcId): string =>
  stringifyExact({ jsonrpc: '2.0', result, id } satisfies JsonRpcResponse)

const failure = (error: ServiceError, id: JsonRpcId): string =>
  stringifyExact({ jsonrpc: '2.0', error: errorObject(error), id } satisfies JsonRpcResponse)

/** The form of section 4.4; inside a batch the id stays, or nobody could tell whose it is. */
const unavailable = (error: ServiceError, id: JsonRpcId): string =>
  stringifyExact({ result: null, error: { ServiceUnavailable: error.message }, id })

/**
 * The front door (sections 4.1, 5.1, 7): path, method, key, size, JSON, envelope, method table,
 * permission, parameters, handler; the first that fails is the answer.
 */
export const createGateway = (deps: GatewayDeps): Hono => {
  const { limits, limiter, clock, logger, metrics } = deps
  const { tasks, webhooks, sealedData, encryptionKeys } = deps
  const ports: MethodPorts = { tasks, webhooks, sealedData, encryptionKeys }
  const { dispatch, nameOf } = createDispatch({
    ...deps,
    handlers: { ...handlers, ...deps.handlers },
  })

  const outages = createOutageLog(logger, clock)
  const logInternal = (error: ServiceError, fields: object = {}) => {
    if (error.cause instanceof StoreError) outages.failed(error.cause)
    else logger.error({ ...fields, err: error.cause ?? error }, 'internal error')
  }

  const takeToken = async (caller: Caller) => {
    const wait = await limiter.take(caller.keyId, deps.rateLimits.perKey)
    if (wait > 0) throw rateLimited(wait)
  }

  /** Answers one call; never throws. The request has paid for one call, the first of a batch. */
  const answer = async (value: unknown, caller: Caller, place?: number): Promise<Answer> => {
    const started = clock()
    let id: JsonRpcId = null
    let method = 'none'
    metrics.begin()
    try {
      const call = parseCall(value)
      id = call.id
      method = nameOf(call.method) ?? 'none'
      if (place !== undefined && place > 0) await takeToken(caller)
      const context = { ...ports, caller }
      const result = await dispatch(call, context)
      const body = success(result, id)
      metrics.end(method, 'result', clock() - started)
      return { body, method }
    } catch (thrown) {
      const error = asServiceError(thrown)
      if (error.code === errorCode.internalError && !(error instanceof ServiceUnavailable))
        logInternal(error, { method, keyId: caller.keyId })
      metrics.end(method, String(error.code), clock() - started)
      const body =
        error instanceof ServiceUnavailable
          ? unavailable(error, place === undefined ? null : id)
          : failure(error, id)
      return { body, method, error }
    }
  }

  const answerBatch = async (values: readonly unknown[], caller: Caller): Promise<string> => {
    if (values.length === 0) throw invalidRequest('a batch has at least one call')
    if (values.length > limits.batchCalls)
      throw invalidRequest(`a batch has at most ${limits.batchCalls} calls`)
    const answers = await pMap(values, (value, place) => answer(value, caller, place), {
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

  /** An error that is the whole answer: its HTTP status says it too (decision E8). */
  const refuse = (error: ServiceError, body = failure(error, null)): Response => {
    const status = error instanceof ServiceUnavailable ? 200 : statusOf(error)
    const wait = error.data?.retry_after_seconds
    if (status === 429) return json(body, status, { 'retry-after': String(wait) })
    if (status === 401) return json(body, status, { 'www-authenticate': 'Bearer' })
    return json(body, status)
  }

  const serveCalls = async (request: Request, note: (line: object) => void): Promise<Response> => {
    const caller = await authenticate(deps.apiKeys, request.headers.get('authorization'))
    outages.served()
    note({ keyId: caller.keyId })
    const batchOrCall = await readCalls(request, caller)
    if (Array.isArray(batchOrCall)) {
      note({ method: 'batch', calls: batchOrCall.length })
      return json(await answerBatch(batchOrCall, caller), 200)
    }
    const { body, method, error } = await answer(batchOrCall, caller)
    note({ method, ...(error === undefined ? {} : { code: error.code }) })
    return error === undefined ? json(body, 200) : refuse(error, body)
  }

  const readCalls = async (request: Request, caller: Caller): Promise<unknown> => {
    await takeToken(caller)
    refuseEncoding(request)
    return parseBody(await readBody(request, limits.bodyBytes))
  }

  /**
   * Sent at once and in full. The response stays open until the body has been dropped: a connection
   * that is closed while the caller sends takes the answer with it, and a proxy makes 502 of it.
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
        allowHeaders: ['authorization', 'content-type'],
        exposeHeaders: ['retry-after'],
      }),
    )
  app.post('/rpc', async (c) => {
    const started = clock()
    let line: Record<string, unknown> = {}
    const note = (more: object) => {
      line = { ...line, ...more }
    }
    const response = await serveCalls(c.req.raw, note).catch((thrown: unknown) => {
      if (thrown instanceof BodyTooLarge) return tooLarge(thrown)
      const error = asServiceError(thrown)
      if (error.code === errorCode.internalError) logInternal(error)
      note({ code: error.code })
      return refuse(error)
    })
    logger.info({ ...line, status: response.status, ms: clock() - started }, 'rpc')
    return response
  })
  app.all('/rpc', (c) => c.text('Method Not Allowed\n', 405, { allow: 'POST' }))
  app.notFound((c) => c.text('Not Found\n', 404))
  return app
}
