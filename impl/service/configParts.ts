import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { allowedValues, mustBeOneOf } from 'polgate-protocol/enumeration.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { ContentConfig } from './content/contentConfig.ts'
import { defaultOracleLimits } from './oracles/limits.ts'

/** Configuration members shared by gateway and operator. */

/** Annotation of a number: what it counts. */
export const unitKeyword = 'x-unit'

export type Documentation = {
  readonly unit?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
}

/** A schema with the description that the published JSON Schema and CONFIGURATION.md show. */
export const documented = <T extends TSchema>(
  schema: T,
  description: string,
  { unit, ...options }: Documentation = {},
): T => ({
  ...schema,
  ...options,
  ...(unit === undefined ? {} : { [unitKeyword]: unit }),
  description,
})

export const HttpUrl = Type.String({ pattern: '^https?://' })

export const Secret32 = Type.String({
  pattern: '^(0x)?[0-9a-fA-F]{64}$',
  description: '32 bytes of hex',
})
export const PublicKey32 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: '32 bytes of hex',
})
export const Listen = Type.Object(
  {
    host: documented(Type.String(), 'Interface to listen on.', {
      default: '127.0.0.1',
      examples: ['0.0.0.0'],
    }),
    port: documented(
      Type.Integer({ minimum: 0, maximum: 65_535 }),
      'TCP port; 0 takes a free one.',
      { default: 0, examples: [8600] },
    ),
  },
  { additionalProperties: false, default: {} },
)

export const needed = documented(
  Type.Integer({ minimum: 2, maximum: 128 }),
  'Operators that have to take part to open a sealed value (section 4.10), at most all of them.',
  { unit: 'operators', examples: [3] },
)
export const resharing = documented(
  Type.Union([Type.Literal('configured'), Type.Literal('members')]),
  'Which rosters an operator reshares the key to: the configured one, or any of the listed members, with any threshold. With `members` a dishonest gateway can choose the roster: for development only.',
  { default: 'configured' },
)
export const openings = documented(
  Type.Union([Type.Literal('granted'), Type.Literal('refused')]),
  'Whether an operator takes part in openings of private data for tasks: in those that the chain grants, as its own node says, or in none.',
  { default: 'granted' },
)

const oracleLimits = Object.entries(defaultOracleLimits)
  .map(([name, limit]) => `\`${name}\` ${limit}`)
  .join(', ')

/** What an operator needs besides its key: the content source and the limits of an oracle. */
export const Contents = {
  content: documented(
    ContentConfig,
    'Where policies, schemas and oracle components come from (decision O7).',
  ),
  oracles: documented(
    Type.Object(
      {
        cacheDir: documented(
          Type.String(),
          'Directory for compiled oracle components. Processes may share it.',
          { examples: ['/var/lib/svc/oracles'] },
        ),
        allowedHosts: documented(
          Type.Array(Type.String(), { default: [] }),
          'Hosts (`host:port`) that oracles may call although their address is private (decision O5).',
          { examples: [['prices.internal:8443']] },
        ),
        warm: documented(
          Type.Integer({ minimum: 0, default: 1 }),
          'Instances of a component that are kept ready for the next run.',
          { unit: 'instances' },
        ),
        limits: documented(
          Type.Record(Type.String(), Type.Number({ minimum: 0 }), { default: {} }),
          `Limits of one oracle run that differ from the defaults: ${oracleLimits}. Names end with their unit (\`Ms\`, \`Bytes\`); the others are counts.`,
          { examples: [{ wallClockMs: 3_000, httpCalls: 10 }] },
        ),
      },
      { additionalProperties: false },
    ),
    'The sandbox of oracle components.',
  ),
}

/** The input type of a configuration: members with a default in the schema are optional. */
export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly Item[]
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T

const ajv = new Ajv({
  useDefaults: true,
  allErrors: true,
  ownProperties: true,
  discriminator: false,
  verbose: true,
})
ajv.addKeyword(unitKeyword)

/**
 * @returns a function that validates a configuration and applies defaults, or throws `ServiceError`
 */
export function configParser<T extends TSchema>(
  schema: T,
  name: string,
  hint: string,
): (input: DeepPartial<Static<T>>) => Static<T> {
  // Compiled on first use: all schemas are loaded on start, and few are needed.
  let validate: ValidateFunction<Static<T>> | undefined
  return (input) => {
    validate ??= ajv.compile<Static<T>>(schema)
    const config: unknown = structuredClone(input)
    if (validate(config)) return config
    const errors = validate.errors ?? []
    const problems = errors.flatMap((error) => {
      const text = problemOf(error, errors)
      const place = error.instancePath.slice(1).replaceAll('/', '.') || name
      return text === undefined ? [] : [`${place} ${text}`]
    })
    throw new ServiceError(`Invalid configuration: ${[...new Set(problems)].join('; ')}`, {
      code: -32603,
      clause: 'the configuration',
      hint,
    })
  }
}

/** Undefined for a value that another branch of a union allows. */
function problemOf(error: ErrorObject, errors: readonly ErrorObject[]): string | undefined {
  const allowed = allowedValues(error, errors)
  if (allowed === undefined) return `${error.message}${unknownMember(error.params)}`
  return allowed.includes(error.data) ? undefined : mustBeOneOf(allowed, error.data)
}

/** The name of an unknown member, usually a typo: truncated, and without its value. */
function unknownMember({ additionalProperty }: { readonly additionalProperty?: unknown }): string {
  return additionalProperty === undefined ? '' : `: ${String(additionalProperty).slice(0, 64)}`
}
