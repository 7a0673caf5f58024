import { Type } from '@sinclair/typebox'
import type { Capability } from '../core/check.ts'
import { type Feature, type FeatureFound, featureNames } from '../core/features.ts'
import type { Target } from '../core/target.ts'
import { createGateway } from '../wire/gateway.ts'
import { writingMethods } from './limits.ts'

/** Optional features of a gateway. Each is a group of capabilities, a method call, or both. */
export const FeatureSchema = Type.Union(
  featureNames.map((name) => Type.Literal(name)),
  {
    description:
      'features the gateway is declared to have; a declared but missing feature fails the run',
  },
)

/** How a feature is detected: capabilities that are available, and a method that is known. */
type Sign = {
  readonly needs: readonly Capability[]
  /** A method, without the brand's prefix, that exists if the feature does. */
  readonly method?: string
  /** If the method must succeed without params. */
  readonly succeeds?: true
}

export const featureSigns: Readonly<Record<Feature, Sign>> = {
  webhooks: { needs: ['webhook-receiver'], method: 'registerWebhook' },
  websocket: { needs: ['websocket'] },
  explorer: { needs: ['explorer'] },
  'second-network': { needs: ['second-network'] },
  secrets: { needs: [], method: 'getSecretsPublicKey', succeeds: true },
  'privacy-key': { needs: [], method: 'getPrivacyPublicKey', succeeds: true },
  identity: { needs: ['identity-registry'], method: 'getIdentityEncrypted' },
  confidential: { needs: ['confidential-registry'], method: 'getConfidentialData' },
  batch: { needs: [] },
  discover: { needs: [] },
}

/** Calls a target by JSON-RPC, with its read key. */
function explorerClient(target: Target, fetch: typeof globalThis.fetch): Ask {
  const transport = { baseUrl: target.gatewayUrl, keys: target.keys, fetch }
  const gateway = createGateway(transport, target.brand, { saw: () => {} })
  return async (name, batch = false) => {
    const method = name.includes('.') ? name : gateway.method(name)
    const call = { jsonrpc: '2.0', method, params: {}, id: name }
    const key = target.keys.read === undefined ? undefined : 'read'
    return gateway.send({ body: JSON.stringify(batch ? [call] : call), key, timeoutMs: 20_000 })
  }
}

/**
 * The optional features of a gateway: which it has, and which it is declared to have; all of them, or
 * only some.
 */
export const featuresOf = (
  target: Target,
  missing: Readonly<Record<string, string>>,
  fetch: typeof globalThis.fetch,
  names?: readonly Feature[],
): Promise<readonly FeatureFound[]> =>
  findFeatures(
    target.features,
    missing,
    explorerClient(target, fetch),
    target.limits?.readOnly,
    names,
  )

type Ask = (
  method: string,
  batch?: boolean,
) => Promise<{ readonly status: number; readonly json: unknown }>

const codeOf = (json: unknown): unknown =>
  (json as { error?: { code?: unknown } } | undefined)?.error?.code

/** Why a feature is missing; undefined if it is present. */
async function look(
  name: Feature,
  missing: Readonly<Record<string, string>>,
  ask: Ask,
): Promise<string | undefined> {
  const { needs, method, succeeds } = featureSigns[name]
  const unmet = needs.find((need) => missing[need] !== undefined)
  if (unmet !== undefined) return `the response to ${unmet}: ${missing[unmet]}`
  if (name === 'batch') {
    const { json } = await ask('getSecretsPublicKey', true)
    return Array.isArray(json) ? undefined : 'the response to a batch is not an array'
  }
  const called = name === 'discover' ? 'rpc.discover' : method
  if (called === undefined) return undefined
  const { status, json } = await ask(called)
  if (status === 404 || codeOf(json) === -32601) return `the response to ${called} is unknown`
  if (typeof json !== 'object' || json === null) return `the response to ${called} is not JSON`
  const must = succeeds === true || name === 'discover'
  return must && !('result' in json) ? `the response to ${called} returns no result` : undefined
}

/** A read-only run does not test features that require writing. */
const writes = (name: Feature) =>
  (writingMethods as readonly string[]).includes(featureSigns[name].method ?? '')

/**
 * Detects all features; methods are called with empty params, which changes nothing.
 *
 * @param ask sends one call or a batch; method names without the brand's prefix
 */
export const findFeatures = async (
  declared: readonly Feature[] | undefined,
  missing: Readonly<Record<string, string>>,
  ask: Ask,
  readOnly = false,
  names: readonly Feature[] = featureNames,
): Promise<readonly FeatureFound[]> =>
  Promise.all(
    names
      .filter((name) => !readOnly || !writes(name))
      .map(async (name) => {
        const reason = await look(name, missing, ask).catch(
          (error: Error) => `no answer: ${error.message}`,
        )
        return {
          name,
          declared: declared?.includes(name) ?? false,
          there: reason === undefined,
          ...(reason === undefined ? {} : { reason }),
        }
      }),
  )
