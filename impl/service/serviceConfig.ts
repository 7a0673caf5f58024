import { type Static, Type } from '@sinclair/typebox'
import { Brand } from 'polgate-protocol/brand.ts'
import { Network } from 'polgate-protocol/explorer.ts'
import { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import {
  CallMs,
  Contents,
  configParser,
  type DeepPartial,
  Listen,
  needed,
  openings,
  PublicKey32,
  Secret32,
} from './configParts.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const RateLimit = Type.Object({
  perSecond: Type.Number({ exclusiveMinimum: 0 }),
  burst: Type.Number({ minimum: 1 }),
})

const LocalOperator = Type.Object(
  {
    kind: Type.Literal('local'),
    address: Address,
    blsKey: Secret32,
    /** Ed25519 key of threshold mode. */
    thresholdKey: Type.Optional(Secret32),
  },
  { additionalProperties: false },
)
const RemoteOperator = Type.Object(
  {
    kind: Type.Literal('remote'),
    address: Address,
    id: Bytes32,
    url: Type.String({ pattern: '^https?://' }),
    token: Type.String({ minLength: 16 }),
    /** Ed25519 public key of threshold mode. */
    thresholdPublicKey: Type.Optional(PublicKey32),
  },
  { additionalProperties: false },
)

const dateTime = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:\\d{2})$'

/** A chain that the explorer indexes, and the addresses of its contracts. */
const ExplorerNetwork = Type.Object(
  {
    chainId: Type.Integer({ minimum: 1 }),
    rpcUrl: Type.String({ pattern: '^https?://' }),
    taskManager: Address,
    policyFactory: Address,
    /** Block to index from: not after the deployment of the first of the contracts. */
    startBlock: Type.Integer({ minimum: 0, default: 0 }),
    /** Maximum number of blocks in one request; reduced if the node rejects it. */
    batchBlocks: Type.Integer({ minimum: 1, maximum: 100_000, default: 2_000 }),
    /** Milliseconds between two polls for a new block. */
    pollMs: Type.Integer({ minimum: 10, maximum: 600_000, default: 1_000 }),
  },
  { additionalProperties: false },
)
export type ExplorerNetwork = Static<typeof ExplorerNetwork>

/** One service: a gateway, its store and its operators. */
export const ServiceConfig = Type.Object(
  {
    gateway: Listen,
    /** Health, readiness and metrics; absent: no admin listener. */
    admin: Type.Optional(Listen),
    /** Names on the wire that replace the neutral ones (decision E13). */
    brand: Type.Optional(Type.Partial(Brand)),
    logLevel: Type.Unsafe<string>({ type: 'string', enum: [...logLevels], default: 'info' }),
    corsOrigins: Type.Array(Type.String(), { default: [] }),
    rateLimits: Type.Optional(
      Type.Object({
        perKey: RateLimit,
        perMethod: Type.Optional(Type.Record(Type.String(), RateLimit)),
      }),
    ),
    /** Limits of the WebSocket listener (decisions, section 9). */
    webSocket: Type.Object(
      {
        connections: Type.Optional(Type.Integer({ minimum: 0 })),
        connectionsPerKey: Type.Optional(Type.Integer({ minimum: 0 })),
        subscriptions: Type.Optional(Type.Integer({ minimum: 1 })),
        frameBytes: Type.Optional(Type.Integer({ minimum: 1024 })),
        messagesPerSecond: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
        messageBurst: Type.Optional(Type.Number({ minimum: 1 })),
      },
      { additionalProperties: false, default: {} },
    ),
    /**
     * A directory for the embedded database, or the URL of a PostgreSQL server; neither: in memory.
     */
    store: Type.Object(
      { dataDir: Type.Optional(Type.String()), url: Type.Optional(Type.String()) },
      { additionalProperties: false, default: {} },
    ),
    chain: Type.Object(
      {
        rpcUrl: Type.String({ pattern: '^https?://' }),
        chainId: Type.Integer({ minimum: 1 }),
        taskManager: Address,
        operatorRegistry: Address,
        /** Registries of sealed data (section 4.10); absent: its uploads are rejected. */
        identityRegistry: Type.Optional(Address),
        confidentialDataRegistry: Type.Optional(Address),
        postResults: Type.Boolean({ default: true }),
      },
      { additionalProperties: false },
    ),
    keys: Type.Object(
      {
        /** ECDSA key of the account that posts tasks and attests data. */
        gateway: Secret32,
        /** X25519 keys (section 4.10). */
        secrets: Secret32,
        privacy: Secret32,
        /** Former privacy keys, for which data is still accepted for a while (decision K11). */
        formerPrivacy: Type.Array(
          Type.Object(
            {
              publicKey: Type.String({ pattern: '^[0-9a-fA-F]{64}$' }),
              /** A date and time such as `2027-01-31T00:00:00Z`; data is rejected from then on. */
              acceptedUntil: Type.String({ pattern: dateTime }),
            },
            { additionalProperties: false },
          ),
          { default: [], maxItems: 16 },
        ),
      },
      { additionalProperties: false },
    ),
    operators: Type.Array(Type.Union([LocalOperator, RemoteOperator]), { maxItems: 256 }),
    /**
     * Threshold mode (section 4.10): the operators share the privacy key, and `keys.privacy` is not
     * used. Members are in the order of `operators`, and each must have a threshold key.
     */
    threshold: Type.Optional(
      Type.Object(
        {
          needed,
          /**
           * Where operators in this process store their shares. A lost share cannot be recovered.
           */
          directory: Type.String(),
          openings,
          /** For one attempt to get or create the key, in milliseconds. */
          timeoutMs: Type.Integer({ minimum: 1, default: 60_000 }),
        },
        { additionalProperties: false },
      ),
    ),
    webhooks: Type.Object(
      {
        /**
         * Accept `http://127.0.0.1` and `http://localhost` too: local stacks only (decision W8).
         */
        allowLoopback: Type.Boolean({ default: false }),
      },
      { additionalProperties: false, default: {} },
    ),
    /** Explorer and indexer (section 4.12); absent: neither. */
    explorer: Type.Optional(
      Type.Object(
        {
          /** Address of the REST API; absent: this process only indexes. */
          listen: Type.Optional(Type.Object(Listen.properties, { additionalProperties: false })),
          /**
           * Whether this process indexes; of several processes one is active, the others on
           * standby.
           */
          indexer: Type.Boolean({ default: true }),
          /** The chain for each value of the network header (decision X7). */
          networks: Type.Partial(Type.Record(Network, ExplorerNetwork), {
            additionalProperties: false,
          }),
          /** Per API key; default 100 a second, bursts of 200 (decisions, section 9). */
          rateLimit: Type.Optional(RateLimit),
        },
        { additionalProperties: false },
      ),
    ),
    operatorGraceMs: Type.Integer({ minimum: 0, default: 1_000 }),
    /** Timeouts of calls to operators in separate processes, in milliseconds. */
    operatorTimeouts: Type.Optional(
      Type.Object(
        {
          data: Type.Optional(CallMs),
          evaluate: Type.Optional(CallMs),
          sign: Type.Optional(CallMs),
          secrets: Type.Optional(CallMs),
        },
        { additionalProperties: false },
      ),
    ),
    ...Contents,
  },
  { additionalProperties: false },
)
export type ServiceConfig = Static<typeof ServiceConfig>

/** The input of `parseServiceConfig`: members with a default are optional. */
export type ServiceConfigInput = DeepPartial<ServiceConfig>

/**
 * Validates a configuration and applies defaults. The error does not contain invalid values, which
 * may be keys.
 *
 * @throws ServiceError with the names of the invalid members
 */
export const parseServiceConfig: (input: ServiceConfigInput) => ServiceConfig = configParser(
  ServiceConfig,
  'service',
  'Compare it with ServiceConfig in impl/service/serviceConfig.ts.',
)

/**
 * Replaces `${NAME}` inside strings by the environment variable, so that keys can stay out of the
 * file.
 */
export function fromEnvironment(value: unknown, env: NodeJS.ProcessEnv): unknown {
  if (typeof value === 'string') {
    return value.replace(/\$\{(\w+)\}/g, (_, name: string) => env[name] ?? missing(name))
  }
  if (Array.isArray(value)) return value.map((item) => fromEnvironment(item, env))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fromEnvironment(item, env)]),
  )
}

function missing(name: string): never {
  throw new ServiceError(`environment variable ${name} is not set`, {
    code: -32603,
    clause: 'the configuration',
    hint: `Set ${name}, or put the value in the configuration.`,
  })
}
