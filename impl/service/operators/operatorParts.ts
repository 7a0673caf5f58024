import { availableParallelism } from 'node:os'
import type { Brand } from 'polgate-protocol/brand.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { blsKey } from '../attestation/bls.ts'
import type { ContentConfig } from '../content/contentConfig.ts'
import { createContentStore } from '../content/contentStore.ts'
import { httpGateways } from '../content/gateways.ts'
import type { EncryptionKey } from '../envelopes/encryptionKey.ts'
import type { Egress } from '../oracles/egress.ts'
import type { HostFetch } from '../oracles/hostFetch.ts'
import type { OracleLimits } from '../oracles/limits.ts'
import { createOracleHost, type OracleHost } from '../oracles/oracleHost.ts'
import { prepareComponent } from '../oracles/prepareComponent.ts'
import { type LocalOperatorOptions, localOperator, openedSecrets } from './localOperator.ts'
import type { Operator } from './operator.ts'
import { policyText } from './policyText.ts'
import type { PrivateData } from './privateData.ts'
import type { PrivateUses } from './privateUses.ts'
import { createRegoEvaluator } from './regoEvaluator.ts'
import { createSecretsCheck } from './secretsCheck.ts'

export type OperatorPartsOptions = {
  readonly config: {
    readonly content: ContentConfig
    readonly oracles: {
      readonly cacheDir: string
      readonly allowedHosts: readonly string[]
      readonly warm: number
      readonly limits: Readonly<Record<string, number>>
    }
  }
  readonly clock: Clock
  readonly brand: Brand
  readonly fetch: typeof globalThis.fetch | undefined
  /** Wraps or replaces the tools. */
  readonly tools?: ((tools: OperatorTools) => OperatorTools) | undefined
  /** Wraps the fetch of each oracle run. */
  readonly oracleFetch?: ((fetch: HostFetch) => HostFetch) | undefined
  /** Wraps the guarded connections of oracle runs. */
  readonly oracleEgress?: ((egress: Egress) => Egress) | undefined
}

/** The tools of an operator, shared by the operators of a process. */
export type OperatorTools = Pick<
  LocalOperatorOptions,
  'content' | 'oracles' | 'evaluator' | 'secretsCheck' | 'secretsInUse'
>

/** Shared by the operators of one process: content, the oracle host, the Rego engine. */
export type OperatorParts = {
  operator(own: {
    readonly address: Address
    /** 32 bytes of hex. */
    readonly blsKey: string
    readonly secretsKey: EncryptionKey
    readonly chainId: number
    readonly privateData?: PrivateData | undefined
  }): Operator
  /**
   * Which private data the policy with a content id may use.
   *
   * @throws ServiceError -32615 for a policy that cannot be read or compiled
   */
  usesOf(policyCid: string, signal: AbortSignal): Promise<PrivateUses>
  /**
   * Prepares the component of a content id before its oracle is first run.
   * @returns the reason if it cannot be prepared, else undefined
   * @throws ContentError if it cannot be fetched
   */
  prepare(cid: string, signal: AbortSignal): Promise<string | undefined>
  /** Compiled oracles that are kept. */
  loadedOracles(): ReturnType<OracleHost['loaded']>
  close(): Promise<void>
}

/**
 * As many concurrent runs as a policy with one oracle causes on the operators of a local stack.
 * Runs that wait for a slow host do not count, and one component cannot take all slots.
 */
const oracleRuns = Math.max(4, 2 * availableParallelism())

export async function openOperatorParts(options: OperatorPartsOptions): Promise<OperatorParts> {
  const { config, clock, brand, fetch } = options
  const content = createContentStore({
    directory: config.content.directory,
    gateways: httpGateways({ ...config.content, urls: config.content.gateways, fetch }),
    maxBytes: config.content.maxBytes,
  })
  const oracles = createOracleHost({
    limits: config.oracles.limits as Partial<OracleLimits>,
    egress: { allowedHosts: config.oracles.allowedHosts },
    clock: { now: clock },
    cacheDir: config.oracles.cacheDir,
    brand: brand.witPackage,
    warm: config.oracles.warm,
    maxWorkers: oracleRuns + 2,
    maxPerComponent: oracleRuns,
    maxThreads: oracleRuns + 20,
    maxQueued: 10_000,
    aroundFetch: options.oracleFetch,
    aroundEgress: options.oracleEgress,
  })
  const evaluator = createRegoEvaluator({ brand })
  const secretsCheck = createSecretsCheck()
  const own: OperatorTools = {
    content,
    oracles,
    evaluator,
    secretsCheck,
    secretsInUse: openedSecrets(),
  }
  const tools = options.tools?.(own) ?? own
  return {
    operator: ({ blsKey: secret, ...identity }) =>
      localOperator({
        ...identity,
        ...tools,
        key: blsKey(Buffer.from(secret.replace(/^0x/, ''), 'hex')),
      }),
    usesOf: async (cid, signal) =>
      tools.evaluator.privateUses({ source: await policyText(tools.content, cid, signal) }, signal),
    prepare: (cid, signal) =>
      prepareComponent({
        key: cid,
        component: () => content.get(cid, { signal }),
        cacheDir: config.oracles.cacheDir,
        signal,
      }),
    loadedOracles: () => oracles.loaded(),
    async close() {
      await Promise.all([oracles.close(), evaluator.close(), secretsCheck.close()])
    },
  }
}
