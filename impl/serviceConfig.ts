import { type Static, Type } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { Brand } from './protocol/brand.ts'
import { Address, Bytes32 } from './protocol/scalars.ts'
import { ServiceError } from './protocol/serviceError.ts'

const Secret32 = Type.String({ pattern: '^(0x)?[0-9a-fA-F]{64}$', description: '32 bytes of hex' })
const PublicKey32 = Type.String({ pattern: '^[0-9a-f]{64}$', description: '32 bytes of hex' })
const Port = Type.Integer({ minimum: 0, maximum: 65_535, default: 0 })
const Listen = Type.Object(
  { host: Type.String({ default: '127.0.0.1' }), port: Port },
  { additionalProperties: false, default: {} },
)
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

/** How many operators open together, 2 to all of them (section 4.10). */
const needed = Type.Integer({ minimum: 2, maximum: 128 })
/**
 * Whether an operator takes part in whatever another one asks to open. With `members` one dishonest
 * operator can have everything opened by the honest ones: for development only.
 */
const openings = Type.Union([Type.Literal('refused'), Type.Literal('members')], {
  default: 'refused',
})

/** What an operator needs besides its key: where contents come from, and how far an oracle may go. */
const Contents = {
  content: Type.Object(
    {
      directory: Type.String(),
      gateways: Type.Array(Type.String({ pattern: '^https?://' }), { default: [] }),
    },
    { additionalProperties: false },
  ),
  oracles: Type.Object(
    {
      cacheDir: Type.String(),
      allowedHosts: Type.Array(Type.String(), { default: [], description: 'host:port' }),
      warm: Type.Integer({ minimum: 0, default: 1 }),
      limits: Type.Record(Type.String(), Type.Number({ minimum: 0 }), { default: {} }),
    },
    { additionalProperties: false },
  ),
}

/** One service: a gateway, its store, and the operators it asks. */
export const ServiceConfig = Type.Object(
  {
    gateway: Listen,
    /** Health, readiness, metrics; absent: none. */
    admin: Type.Optional(Listen),
    /** Names on the wire other than the neutral ones (decision E13). */
    brand: Type.Optional(Type.Partial(Brand)),
    logLevel: Type.String({ default: 'info' }),
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
    operatorGraceMs: Type.Integer({ minimum: 0, default: 1_000 }),
    ...Contents,
  },
  { additionalProperties: false },
)
export type ServiceConfig = Static<typeof ServiceConfig>

/** One operator as a process of its own. */
export const OperatorConfig = Type.Object(
  {
    listen: Listen,
    token: Type.String({ minLength: 16 }),
    address: Address,
    blsKey: Secret32,
    secretsKey: Secret32,
    chainId: Type.Integer({ minimum: 1 }),
    /** The operator's own word on who shares the key and how many open: no gateway can change it. */
    threshold: Type.Optional(
      Type.Object(
        {
          key: Secret32,
          needed,
          members: Type.Array(Type.Object({ address: Address, publicKey: PublicKey32 }), {
            maxItems: 128,
          }),
          directory: Type.String(),
          openings,
        },
        { additionalProperties: false },
      ),
    ),
    ...Contents,
  },
  { additionalProperties: false },
)
export type OperatorConfig = Static<typeof OperatorConfig>

const ajv = new Ajv({ useDefaults: true, allErrors: true, discriminator: false })
const validators = {
  service: ajv.compile<ServiceConfig>(ServiceConfig),
  operator: ajv.compile<OperatorConfig>(OperatorConfig),
}

/** Members that a schema gives a default need not be written. */
export type ServiceConfigInput = DeepPartial<ServiceConfig>
export type OperatorConfigInput = DeepPartial<OperatorConfig>
type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly Item[]
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T

/**
 * Checks a configuration and fills in its defaults. The values that broke a rule are not told: they
 * may be keys.
 *
 * @throws ServiceError naming the members
 */
export const parseServiceConfig = (input: ServiceConfigInput): ServiceConfig =>
  parse('service', input)

/** @throws ServiceError naming the members */
export const parseOperatorConfig = (input: OperatorConfigInput): OperatorConfig =>
  parse('operator', input)

function parse<K extends keyof typeof validators>(
  kind: K,
  input: unknown,
): K extends 'service' ? ServiceConfig : OperatorConfig {
  const config: unknown = structuredClone(input)
  const validate = validators[kind]
  if (validate(config)) return config as never
  const problems = (validate.errors ?? []).map(
    ({ instancePath, message }) =>
      `${instancePath.slice(1).replaceAll('/', '.') || kind} ${message}`,
  )
  throw new ServiceError(`Invalid configuration: ${[...new Set(problems)].join('; ')}`, {
    code: -32603,
    clause: 'the configuration',
    hint: 'Compare it with ServiceConfig in impl/serviceConfig.ts.',
  })
}

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
