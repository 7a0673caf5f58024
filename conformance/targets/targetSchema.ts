import { type Static, Type } from '@sinclair/typebox'
import { Brand } from 'polgate-protocol/brand.ts'
import { Network } from 'polgate-protocol/explorer.ts'
import { Address } from 'polgate-protocol/scalars.ts'
import { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { profiles } from '../register/profiles.ts'
import { LimitsSchema } from './limits.ts'

const closed = { additionalProperties: false } as const
const HttpUrl = Type.String({ pattern: '^https?://' })
const Port = Type.Integer({ minimum: 1, maximum: 65_535 })
/** Written as `${NAME}` in the file; substituted before validation. */
const Secret = (description: string) => Type.String({ description, minLength: 1 })
const PrivateKey = Type.Unsafe<`0x${string}`>(Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' }))
const Account = Type.Object({ address: Address, privateKey: Type.Optional(PrivateKey) }, closed)

const ExploredNetwork = Type.Object(
  {
    rpcUrl: Type.Optional(HttpUrl),
    chainId: Type.Optional(Type.Integer({ minimum: 1 })),
    taskManager: Type.Optional(Address),
    policyFactory: Type.Optional(Address),
  },
  closed,
)

const { rpcUrl, chainId, taskManager, operatorRegistry, ...registries } =
  StackDescription.properties.chain.properties

const Chain = Type.Object(
  {
    rpcUrl,
    chainId,
    taskManager,
    operatorRegistry,
    ...registries,
    policyFactory: Type.Optional(Address),
    deployer: Type.Optional(
      Type.String({
        pattern: '^0x[0-9a-fA-F]{64}$',
        description:
          'Private key of a funded account, as a variable: the suite deploys the policy clients of its fixtures with it, once',
      }),
    ),
    deployerBudget: Type.Optional(
      Type.String({
        pattern: '^[0-9]+(\\.[0-9]{1,18})?$',
        description: 'Maximum cost of the deployment, in whole coins of the chain; default 0.5',
      }),
    ),
  },
  closed,
)

/** An address of the suite that the gateway can reach, and the port behind it. */
const Place = Type.Object(
  {
    url: HttpUrl,
    port: Port,
    host: Type.Optional(Type.String({ description: 'interface to listen on, default 127.0.0.1' })),
  },
  closed,
)

const variables = Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }), Type.String())
const readyWithinSeconds = Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 600 }))

const CommandTarget = Type.Object(
  {
    run: Type.Array(Type.String(), { minItems: 1, description: 'program and arguments' }),
    cwd: Type.Optional(Type.String({ description: 'relative to this file' })),
    env: Type.Optional(variables),
    readyWithinSeconds,
  },
  closed,
)

const ImageTarget = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'as docker run takes it' }),
    command: Type.Optional(Type.Array(Type.String())),
    env: Type.Optional(variables),
    readyWithinSeconds,
  },
  closed,
)

/**
 * Schema of a target file: the address of a gateway or how to start one, what is known about it,
 * and what it cannot have, each with a reason. Secrets are always `${NAME}`.
 */
export const TargetFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    version: Type.Optional(Type.Literal(1)),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    gatewayUrl: Type.Optional(HttpUrl),
    command: Type.Optional(CommandTarget),
    image: Type.Optional(ImageTarget),
    updatesUrl: Type.Optional(
      Type.String({
        pattern: '^wss?://',
        description:
          'WebSocket; {key} stands for an API key, if the gateway reads it from the address',
      }),
    ),
    explorerUrl: Type.Optional(HttpUrl),
    explorerNetwork: Type.Optional(Network),
    explorerLagSeconds: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 170 })),
    brand: Type.Optional(Type.Partial(Brand, { ...closed, description: 'names on the wire' })),
    keys: Type.Optional(
      Type.Object(
        {
          read: Type.Optional(Secret('has rpc_read')),
          write: Type.Optional(Secret('has rpc_write')),
          rpc: Type.Optional(Secret('has rpc, that is both')),
          none: Type.Optional(Secret('is valid, but has no permission')),
          expired: Type.Optional(Secret('has expired')),
          stranger: Type.Optional(Secret('has rpc, and owns only its own policy client')),
          admin: Type.Optional(Secret('has only admin')),
        },
        closed,
      ),
    ),
    chain: Type.Optional(Chain),
    networks: Type.Optional(Type.Partial(Type.Record(Network, ExploredNetwork), closed)),
    accounts: Type.Optional(
      Type.Object(
        {
          owner: Type.Optional(Account),
          sender: Type.Optional(Account),
          recipient: Type.Optional(Account),
          stranger: Type.Optional(Account),
          provider: Type.Optional(Account),
        },
        closed,
      ),
    ),
    operators: Type.Optional(StackDescription.properties.operators),
    clients: Type.Optional(StackDescription.properties.clients),
    fixtureHostUrl: Type.Optional(HttpUrl),
    fixtureHost: Type.Optional(Place),
    controlUrl: Type.Optional(HttpUrl),
    /** Controls faults between gateway and chain, operators, oracles: kit/servers/chaosControl.ts. */
    chaosUrl: Type.Optional(HttpUrl),
    webhookReceiver: Type.Optional(
      Type.Union([Place, Type.Literal(false)], {
        description: 'where the suite receives webhooks; false: the gateway cannot reach the suite',
      }),
    ),
    profiles: Type.Optional(
      Type.Array(Type.Union(profiles.map((name) => Type.Literal(name))), {
        uniqueItems: true,
        minItems: 1,
        description:
          'parts of the service that the gateway has, all by default; the run tests these and certifies nothing else',
      }),
    ),
    limits: Type.Optional(LimitsSchema),
    identity: Type.Optional(
      Type.Object(
        {
          maker: Type.Optional(Type.String({ maxLength: 200 })),
          release: Type.Optional(Type.String({ maxLength: 200 })),
          image: Type.Optional(Type.String({ maxLength: 400 })),
          digest: Type.Optional(Type.String({ pattern: '^sha256:[0-9a-f]{64}$' })),
        },
        closed,
      ),
    ),
    notApplicable: Type.Optional(
      Type.Record(
        Type.String(),
        Type.String({ minLength: 10, description: 'why this target cannot have it' }),
      ),
    ),
  },
  closed,
)
export type TargetFile = Static<typeof TargetFile>

/** Path of the published schema, relative to a clone. */
export const schemaPath = 'conformance/targets/target.schema.json'

/** The published schema: also accepts placeholders for values. */
export const targetSchemaText = (): string =>
  `${JSON.stringify(
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'Target of the conformance suite',
      ...withEmptyMembers(forEditors(TargetFile)),
    },
    null,
    2,
  )}\n`

/** A member whose lines are all comments, as polgate init writes some, is the same as none. */
function withEmptyMembers(schema: Record<string, unknown>): Record<string, unknown> {
  const members = Object.entries(schema.properties as Record<string, { type?: unknown }>)
  const properties = members.map(([name, member]) => [
    name,
    member.type === 'object' ? { ...member, type: ['object', 'null'] } : member,
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** An editor sees `${NAME}` where the suite sees the value: every string and number may be one. */
const forEditors = (schema: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify(schema), (name, value) => {
    if (typeof value !== 'object' || value === null || name === 'propertyNames') return value
    const { type, pattern } = value as { type?: unknown; pattern?: unknown }
    const numeric = type === 'integer' || type === 'number'
    const bound = numeric || (type === 'string' && typeof pattern === 'string')
    return bound ? { anyOf: [value, { type: 'string', pattern: '\\$\\{\\w+(:-.*)?\\}' }] } : value
  }) as Record<string, unknown>
