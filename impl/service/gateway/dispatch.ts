import type { Brand } from 'polgate-protocol/brand.ts'
import { type MethodName, methods } from 'polgate-protocol/methods.ts'
import { mainLoopPace } from '../scheduling/loopPace.ts'
import { createPacedStarts, type PacedStarts } from '../scheduling/pacedStarts.ts'
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
  /** Default: at the pace of this process. */
  readonly starts?: PacedStarts | undefined
}

/** Methods that cost next to nothing: they are answered at once, whatever else waits. */
const cheapMethods: ReadonlySet<MethodName> = new Set([
  'registerWebhook',
  'unregisterWebhook',
  'getSecretsPublicKey',
  'getPrivacyPublicKey',
  'getIdentityEncrypted',
  'getConfidentialData',
])

/** Calls that wait to begin, of one key and of all. */
const waitingCalls = { perOwner: 2_000, inAll: 8_000 }

/** Served to every key, without the brand's prefix (decision E11). */
const discover = 'rpc.discover'

const isMethodName = (name: string): name is MethodName => Object.hasOwn(methods, name)

/**
 * The method table: permission, own rate limit, parameters, handler, in that order. What is dear begins
 * at the pace of the process, keys in turn.
 *
 * @throws (the function) ServiceError; anything else is an internal error
 */
export const createDispatch = (options: DispatchOptions) => {
  const { brand, handlers, limiter, rateLimits } = options
  const starts = options.starts ?? createPacedStarts({ pace: mainLoopPace, ...waitingCalls })
  const document = openRpcDocument(brand, options.version)
  const parsers = new Map(
    Object.entries(methods).map(([name, method]) => [name, paramsParser(method.params)]),
  )

  /** The row of the table that a call names, for logs and metrics too; undefined when unknown. */
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
    const params = parsers.get(name)!(call.params)
    if (!cheapMethods.has(name) && !(await starts.turn(context.caller.keyId))) throw rateLimited(1)
    // The schema of this row has accepted the parameters, which the type cannot follow.
    const handler = handlers[name] as (params: unknown, context: HandlerContext) => Promise<unknown>
    return handler(params, context)
  }

  return { dispatch, nameOf }
}
