import { type Static, Type } from '@sinclair/typebox'
import { Brand } from 'polgate-protocol/brand.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { Operators, OperatorTimeouts, Threshold } from './configOperators.ts'
import { Contents, configParser, type DeepPartial, documented, Listen } from './configParts.ts'
import {
  ChainSection,
  Explorer,
  Keys,
  RateLimits,
  TransferLimits,
  WebSocketLimits,
} from './configSections.ts'
import { TelemetrySection } from './configTelemetry.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** One service: a gateway, its store, and the operators it asks. Documented in CONFIGURATION.md. */
export const ServiceConfig = Type.Object(
  {
    $schema: Type.Optional(
      documented(Type.String(), 'JSON Schema of this file, for editors. Not read.', {
        examples: ['./node_modules/polgate-service/config.schema.json'],
      }),
    ),
    gateway: documented(Listen, 'Listener of JSON-RPC and WebSocket.'),
    admin: Type.Optional(
      documented(
        Listen,
        'Listener of `/healthz`, `/readyz` and `/metrics`. By default on a free port of loopback.',
      ),
    ),
    brand: Type.Optional(
      documented(
        Type.Partial(Brand),
        'Names on the wire that differ from the neutral ones (decision E13).',
      ),
    ),
    logLevel: documented(
      Type.Unsafe<string>({ type: 'string', enum: [...logLevels], default: 'info' }),
      'Least severe level that is logged.',
    ),
    corsOrigins: documented(
      Type.Array(Type.String(), { default: [] }),
      'Origins that browsers may call from. `*` allows every origin.',
      { examples: [['https://app.example']] },
    ),
    rateLimits: RateLimits,
    webSocket: WebSocketLimits,
    transfers: TransferLimits,
    store: documented(
      Type.Object(
        {
          dataDir: Type.Optional(
            documented(Type.String(), 'Directory of the embedded database, for one process.', {
              examples: ['/var/lib/svc/data'],
            }),
          ),
          url: Type.Optional(
            documented(
              Type.String(),
              'Connection string of a PostgreSQL server, which any number of processes share.',
              { examples: [`\${DATABASE_URL}`] },
            ),
          ),
          durability: Type.Optional(
            documented(
              Type.Unsafe<'durable' | 'relaxed'>({ type: 'string', enum: ['durable', 'relaxed'] }),
              'Of the embedded database in a directory. `durable` (the default): what was acknowledged survives a power cut and a crash of the operating system. `relaxed`: it survives the end of the process alone, and commits do not wait for the disk; for tests.',
              { examples: ['relaxed'] },
            ),
          ),
        },
        { additionalProperties: false, default: {} },
      ),
      'The database; one of the two members. Without either the server of SVC_DATABASE_URL or DATABASE_URL, else a database in memory.',
    ),
    chain: ChainSection,
    keys: Keys,
    operators: Operators,
    operatorGraceMs: documented(
      Type.Integer({ minimum: 0, default: 1_000 }),
      'How long slower operators may still respond once the others decide the outcome of a task.',
      { unit: 'milliseconds' },
    ),
    operatorTimeouts: Type.Optional(OperatorTimeouts),
    threshold: Type.Optional(Threshold),
    webhooks: documented(
      Type.Object(
        {
          allowLoopback: documented(
            Type.Boolean({ default: false }),
            'Whether webhooks may also be `http://127.0.0.1` and `http://localhost`: for local stacks (decision W8).',
          ),
        },
        { additionalProperties: false, default: {} },
      ),
      'Failure notifications.',
    ),
    explorer: Type.Optional(Explorer),
    telemetry: Type.Optional(TelemetrySection),
    ...Contents,
  },
  { additionalProperties: false },
)
export type ServiceConfig = Static<typeof ServiceConfig>

/** The input of `parseServiceConfig`: members with a default are optional. */
export type ServiceConfigInput = DeepPartial<ServiceConfig>

export const configHint = 'Its members are described in impl/service/CONFIGURATION.md.'

/**
 * Validates a configuration and applies defaults. The error does not contain invalid values, which
 * may be keys.
 *
 * @throws ServiceError with the names of the invalid members
 */
export const parseServiceConfig: (input: ServiceConfigInput) => ServiceConfig = configParser(
  ServiceConfig,
  'service',
  configHint,
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
