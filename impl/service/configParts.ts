import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { allowedValues, mustBeOneOf } from 'polgate-protocol/enumeration.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { ContentConfig } from './content/contentConfig.ts'

/** What the configurations of a gateway and of an operator have in common. */

export const Secret32 = Type.String({
  pattern: '^(0x)?[0-9a-fA-F]{64}$',
  description: '32 bytes of hex',
})
export const PublicKey32 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: '32 bytes of hex',
})
const Port = Type.Integer({ minimum: 0, maximum: 65_535, default: 0 })
export const Listen = Type.Object(
  { host: Type.String({ default: '127.0.0.1' }), port: Port },
  { additionalProperties: false, default: {} },
)
export const CallMs = Type.Integer({ minimum: 1, maximum: 600_000 })

/** How many operators open together, 2 to all of them (section 4.10). */
export const needed = Type.Integer({ minimum: 2, maximum: 128 })
/**
 * Whether an operator takes part in whatever another one asks to open. With `members` one dishonest
 * operator can have everything opened by the honest ones: for development only.
 */
export const openings = Type.Union([Type.Literal('refused'), Type.Literal('members')], {
  default: 'refused',
})

/** What an operator needs besides its key: where contents come from, and how far an oracle may go. */
export const Contents = {
  content: ContentConfig,
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

/** Members that a schema gives a default need not be written. */
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

/** @returns a function that checks a configuration and fills in its defaults, or throws `ServiceError` */
export function configParser<T extends TSchema>(
  schema: T,
  name: string,
  hint: string,
): (input: DeepPartial<Static<T>>) => Static<T> {
  // Compiled on first use: a start loads every schema and needs few of them.
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

/** The name of a member that nobody knows: mostly a known one, mistyped. Cut, and no value. */
function unknownMember({ additionalProperty }: { readonly additionalProperty?: unknown }): string {
  return additionalProperty === undefined ? '' : `: ${String(additionalProperty).slice(0, 64)}`
}
