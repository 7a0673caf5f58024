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

/** A chain that the explorer follows, and where the contracts stand on it. */
const ExplorerNetwork = Type.Object(
  {
    chainId: Type.Integer({ minimum: 1 }),
    rpcUrl: Type.String({ pattern: '^https?://' }),
    taskManager: Address,
    policyFactory: Address,
    /** The block in which the first of them was deployed, or an earlier one. */
    startBlock: Type.Integer({ minimum: 0, default: 0 }),
    /** Blocks asked for at once, at most; less where the node refuses so many. */
    batchBlocks: Type.Integer({ minimum: 1, maximum: 100_000, default: 2_000 }),
    /** Milliseconds between two looks for a new block. */
    pollMs: Type.Integer({ minimum: 10, maximum: 600_000, default: 1_000 }),
  },
  { additionalProperties: false },
)
export type ExplorerNetwork = Static<typeof ExplorerNetwork>

/** One service: a gateway, its store, and the operators it asks. */
export const ServiceConfig = Type.Object(
  {
    gateway: Listen,
    /** Health, readiness, metrics; absent: none. */
    admin: Type.Optional(Listen),
    /** Names on the wire other than the neutral ones (decision E13). */
    brand: Type.Optional(Type.Partial(Brand)),
    logLevel: Type.Unsafe<string>({ type: 'string', enum: [...logLevels], default: 'info' }),
    corsOrigins: Type.Array(Type.String(), { default: [] }),
    rateLimits: Type.Optional(
      Type.Object({
        perKey: RateLimit,
        perMethod: Type.Optional(Type.Record(Type.String(), RateLimit)),
      }),
    ),
    /** How much those who listen to updates may take (decisions, section 9). */
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
    /** A directory for the embedded database, or the connection string of a PostgreSQL server. */
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
        /** Registries of sealed data (section 4.10); without one its uploads are refused. */
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
        /** Former privacy keys, to which data may still be sealed for a while (decision K11). */
        formerPrivacy: Type.Array(
          Type.Object(
            {
              publicKey: Type.String({ pattern: '^[0-9a-fA-F]{64}$' }),
              /** A date and time, such as `2027-01-31T00:00:00Z`; from then on it is refused. */
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
     * Threshold mode (section 4.10): the privacy key is made among the operators, in their order,
     * and `keys.privacy` is not used. Every operator has its threshold key then.
     */
    threshold: Type.Optional(
      Type.Object(
        {
          needed,
          /** Where operators of this process keep their shares. Lost shares are lost data. */
          directory: Type.String(),
          openings,
          /** For one attempt to find or make the key. */
          timeoutMs: Type.Integer({ minimum: 1, default: 60_000 }),
        },
        { additionalProperties: false },
      ),
    ),
    webhooks: Type.Object(
      {
        /** Also `http://127.0.0.1` and `http://localhost`: local stacks only (decision W8). */
        allowLoopback: Type.Boolean({ default: false }),
      },
      { additionalProperties: false, default: {} },
    ),
    /** The public memory of the service (section 4.12); absent: none. */
    explorer: Type.Optional(
      Type.Object(
        {
          /** Where it is read; absent: nowhere, this process only indexes. */
          listen: Type.Optional(Type.Object(Listen.properties, { additionalProperties: false })),
          /** Whether this process follows the chains; of several, one does, the others stand by. */
          indexer: Type.Boolean({ default: true }),
          /** The chain behind each name of the network header (decision X7). */
          networks: Type.Partial(Type.Record(Network, ExplorerNetwork), {
            additionalProperties: false,
          }),
          /** Of a key; default 100 a second, bursts of 200 (decisions, section 9). */
          rateLimit: Type.Optional(RateLimit),
        },
        { additionalProperties: false },
      ),
    ),
    operatorGraceMs: Type.Integer({ minimum: 0, default: 1_000 }),
    /** How long a call of an operator in a process of its own may take, milliseconds. */
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

/** Members that a schema gives a default need not be written. */
export type ServiceConfigInput = DeepPartial<ServiceConfig>

/**
 * Checks a configuration and fills in its defaults. The values that broke a rule are not told: they
 * may be keys.
 *
 * @throws ServiceError naming the members
 */
export const parseServiceConfig: (input: ServiceConfigInput) => ServiceConfig = configParser(
  ServiceConfig,
  'service',
  'Compare it with ServiceConfig in impl/service/serviceConfig.ts.',
)

/** `${NAME}` inside any string is that environment variable: keys need not stand in the file. */
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
  throw new ServiceError(`The environment has no ${name}`, {
    code: -32603,
    clause: 'the configuration',
    hint: `Set ${name}, or write the value into the configuration.`,
  })
}
