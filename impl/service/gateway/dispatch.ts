import type { Brand } from 'polgate-protocol/brand.ts'
import { type MethodName, methods } from 'polgate-protocol/methods.ts'
import { mainEventLoopLoad } from '../scheduling/eventLoopLoad.ts'
import { createStartScheduler, type StartScheduler } from '../scheduling/startScheduler.ts'
import { requirePermission } from './authentication.ts'
import type { Call } from './envelope.ts'
import { rateLimited, unknownMethod } from './errors.ts'
import type { HandlerContext, Handlers } from './methods.ts'
import { openRpcDocument } from './openRpc.ts'
import { paramsParser } from './params.ts'
import type { RateLimiter, RateLimits } from './rateLimit.ts'

export type DispatchOptions = {
  readonly brand: Brand
  readonly version: string
  readonly handlers: Handlers
  readonly limiter: RateLimiter
  readonly rateLimits: RateLimits
  /** Default: paced by the load of this process. */
  readonly starts?: StartScheduler | undefined
}

/** Cheap methods, which run immediately. */
const cheapMethods: ReadonlySet<MethodName> = new Set([
  'registerWebhook',
  'unregisterWebhook',
  'getSecretsPublicKey',
  'getPrivacyPublicKey',
  'getIdentityEncrypted',
  'getConfidentialData',
])

/** Maximum number of queued calls, per key and in total. */
const waitingCalls = { perOwner: 2_000, inAll: 8_000 }

/** Available to every key, without the brand's prefix (decision E11). */
const discover = 'rpc.discover'

const isMethodName = (name: string): name is MethodName => Object.hasOwn(methods, name)

/**
 * The method table: permission, rate limit of the method, parameters, handler, in that order.
 * Expensive methods start at the pace of the process, round-robin between keys.
 *
 * @throws (the function) ServiceError; any other error is an internal error
 */
export function createDispatch(options: DispatchOptions) {
  const { brand, handlers, limiter, rateLimits } = options
  const starts =
    options.starts ?? createStartScheduler({ pace: mainEventLoopLoad, ...waitingCalls })
  const document = openRpcDocument(brand, options.version)
  const parsers = new Map(
    Object.entries(methods).map(([name, method]) => [name, paramsParser(method.params)]),
  )

  /**
   * The name of the called method in the table, also for logs and metrics; undefined if unknown.
   */
  const nameOf = (method: string): MethodName | typeof discover | undefined => {
    if (method === discover) return discover
    if (!method.startsWith(brand.methodPrefix)) return undefined
    const name = method.slice(brand.methodPrefix.length)
    return isMethodName(name) ? name : undefined
  }

  const dispatch = async (call: Call, context: HandlerContext): Promise<unknown> => {
    const name = nameOf(call.method)
    if (name === undefined) throw unknownMethod(brand.regoNamespace, call.method)
    if (name === discover) return document
    requirePermission(context.caller, methods[name].permission)
    const limit = rateLimits.perMethod?.[name]
    if (limit !== undefined) {
      const wait = await limiter.take(`${context.caller.keyId} ${name}`, limit)
      if (wait > 0) throw rateLimited(wait)
    }
    const params = parsers.get(name)!(call.params())
    if (!cheapMethods.has(name) && !(await starts.turn(context.caller.keyId))) throw rateLimited(1)
    // The parameters match the schema of the method, which the type system cannot infer.
    const handler = handlers[name] as (params: unknown, context: HandlerContext) => Promise<unknown>
    return handler(params, context)
  }

  return { dispatch, nameOf }
}
