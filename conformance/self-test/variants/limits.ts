import { uploadRefused } from 'polgate-service/envelopes/secretsSchema.ts'
import { defaultRateLimits } from 'polgate-service/gateway/rateLimit.ts'
import { oracleFailed } from 'polgate-service/operators/operatorErrors.ts'
import { evaluator, secretsCheck } from '../mutants/parts.ts'
import {
  answered,
  changedParams,
  changedResult,
  type Json,
  wrapListener,
} from '../mutants/wrappedListeners.ts'
import type { Variant } from './variant.ts'

/** Other limits, and other descriptions of itself (sections 8 and 9). */

const unmarked = () => undefined
const kib = 1024

const isObject = (value: Json): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Refuses params with a member above a maximum length in characters. */
function atMost(name: string, length: number): NonNullable<Variant['parts']> {
  const checked = (params: Json): Json =>
    isObject(params) && typeof params[name] === 'string' && params[name].length > length
      ? { ...params, [name]: 0 }
      : params
  const change = changedParams('*', (params) => {
    const own = checked(params)
    return Array.isArray(own?.policy_data)
      ? { ...own, policy_data: own.policy_data.map(checked) }
      : own
  })
  return () => change(unmarked)
}

/** Changes what `rpc.discover` returns. */
function described(change: (document: Json) => Json): NonNullable<Variant['parts']> {
  const parts = changedResult('rpc.discover', change)
  return () => parts(unmarked)
}

const tooLarge =
  '<html>\n<head><title>413 Request Entity Too Large</title></head>\n<body></body>\n</html>\n'

export const limitVariants: readonly Variant[] = [
  {
    id: 'limits.rates-by-default',
    choice: 'accepts 50 requests of a key in a second, 10 of simulatePolicyData',
    config: (config) => ({ ...config, rateLimits: defaultRateLimits }),
    slow: true,
  },
  {
    id: 'limits.one-rate-for-all',
    clauses: ['8-11'],
    choice: 'counts the requests of all keys and methods together',
    parts: () => ({
      gateway: (deps) => ({
        ...deps,
        limiter: { ...deps.limiter, take: (_, limit) => deps.limiter.take('all', limit) },
      }),
    }),
  },
  {
    id: 'limits.wasm-args-short',
    clauses: ['8-12', '1-12', '4.2-14', '4.6-05'],
    choice: 'refuses wasm_args of more than 4 KiB',
    parts: atMost('wasm_args', 2 + 2 * 4 * kib),
  },
  {
    id: 'limits.envelopes-short',
    clauses: ['8-13', '4.5-04', '4.10-06'],
    choice: 'refuses envelopes of more than 8 KiB',
    parts: atMost('envelope', 8 * kib),
  },
  {
    id: 'limits.secrets-short',
    clauses: ['8-14', '2.7-06', '4.5-04'],
    choice: 'refuses secrets of more than 2 KiB',
    parts: () =>
      secretsCheck(async (upload, pass) => {
        if (upload.secrets.length > 2 * kib) throw uploadRefused('more than 2 KiB')
        return pass(upload)
      }),
  },
  {
    id: 'limits.policies-short',
    clauses: ['8-15', '1-17', '4.8-03'],
    choice: 'refuses policies of more than 16 KiB',
    parts: atMost('policy', 16 * kib),
  },
  {
    id: 'limits.bodies-short',
    clauses: ['8-12', '8-13', '8-14', '8-15', '4.1-01'],
    choice: 'is behind a proxy that refuses bodies of more than 96 KiB with an HTML page',
    parts: wrapListener('wrapGatewayFetch', async ({ request, body }, pass) =>
      Buffer.byteLength(body) <= 96 * kib
        ? pass(request)
        : new Response(tooLarge, { status: 413, headers: { 'content-type': 'text/html' } }),
    ),
  },
  {
    id: 'limits.policy-time-in-other-words',
    clauses: ['1-37', '4.8-12'],
    choice: 'reports a policy that takes too long without “Rego evaluation failed”',
    parts: () =>
      evaluator((evaluation, pass) =>
        pass(evaluation).catch((error: unknown) => {
          const late = error instanceof Error && /too long|limit|deadline/.test(error.message)
          throw late ? oracleFailed('Policy evaluation timed out', false, error) : error
        }),
      ),
  },
  {
    id: 'version.not-described',
    clauses: ['9-07', '9-08'],
    choice: 'has no method that describes it',
    parts: wrapListener('wrapGatewayFetch', async ({ request, call }, pass) => {
      const response = await pass(request)
      if (call?.method !== 'rpc.discover' || response.status !== 200) return response
      const error = { code: -32601, message: 'Method not found' }
      return answered(response, JSON.stringify({ jsonrpc: '2.0', error, id: call.id ?? null }))
    }),
  },
  {
    id: 'version.described-in-part',
    clauses: ['9-07', '9-08'],
    choice: 'describes the methods of tasks only, in a later OpenRPC, as version 2025-06',
    parts: described((document) =>
      Array.isArray(document?.methods)
        ? {
            ...document,
            openrpc: '1.4.1',
            info: { ...document.info, version: '2025-06' },
            methods: document.methods
              .filter(({ name }: Json) => /Task$/.test(name))
              // A result is optional in OpenRPC.
              .map(({ result: _, ...method }: Json) => method),
          }
        : document,
    ),
  },
  {
    id: 'version.names-only',
    clauses: ['9-07', '9-08'],
    choice: 'describes itself by a version and the names of its methods, not with OpenRPC',
    parts: described((document) =>
      Array.isArray(document?.methods)
        ? { version: 2, methods: document.methods.map((each: Json) => each?.name ?? each) }
        : document,
    ),
  },
]
