import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { allowedValues, mustBeOneOf } from 'polgate-protocol/enumeration.ts'
import { ServiceError } from 'polgate-protocol/serviceError.ts'
import { ContentConfig } from './content/contentConfig.ts'

/** Configuration members shared by gateway and operator. */

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

/** Number of operators required to decrypt, from 2 to all of them (section 4.10). */
export const needed = Type.Integer({ minimum: 2, maximum: 128 })
/**
 * Whether an operator takes part in decryptions requested by other operators. With `members`, one
 * dishonest operator can make the honest ones decrypt anything: for development only.
 */
export const openings = Type.Union([Type.Literal('refused'), Type.Literal('members')], {
  default: 'refused',
})

/** What an operator needs besides its key: the content source and the limits of an oracle. */
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
