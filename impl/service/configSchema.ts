import { unitKeyword } from './configParts.ts'
import { ServiceConfig } from './serviceConfig.ts'

/** Where the JSON Schema and the page of the configuration are published, relative to a clone. */
export const configSchemaPlace = 'impl/service/config.schema.json'
export const configPagePlace = 'impl/service/CONFIGURATION.md'

/** The part of JSON Schema that the configuration uses. */
export type JsonSchema = {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly maxItems?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: boolean
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly [unitKeyword]?: string
}

/** The definition as plain data, without what TypeBox adds for itself. */
export const configSchema = (): JsonSchema => JSON.parse(JSON.stringify(ServiceConfig))

/** A value of this form stands for one that is read from the environment. */
const reference = { type: 'string', pattern: '\\$\\{\\w+\\}' }

const mapValues = <T, U>(values: Readonly<Record<string, T>>, map: (value: T) => U) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))

const hasDefault = (schema: JsonSchema | undefined) => schema?.default !== undefined

/**
 * For readers of the file before `${NAME}` is replaced: texts with a rule may also be references. The
 * unit, which is no keyword of JSON Schema, goes into the description.
 */
function published(schema: JsonSchema): JsonSchema {
  const { [unitKeyword]: unit, description, default: preset, examples, ...rest } = schema
  const text = [description, unit === undefined ? undefined : `Unit: ${unit}.`]
  const about = {
    ...(description === undefined ? {} : { description: text.filter(Boolean).join(' ') }),
    ...(preset === undefined ? {} : { default: preset }),
    ...(examples === undefined ? {} : { examples }),
  }
  const { type, pattern, minLength, required, properties, patternProperties, items, anyOf } = rest
  const isBoundText = type === 'string' && (pattern ?? minLength ?? rest.enum) !== undefined
  if (isBoundText) return { ...about, anyOf: [rest, reference] }
  return {
    ...about,
    ...rest,
    // Only validation with defaults has them all.
    ...(required && { required: required.filter((name) => !hasDefault(properties?.[name])) }),
    ...(properties && { properties: mapValues(properties, published) }),
    ...(patternProperties && { patternProperties: mapValues(patternProperties, published) }),
    ...(items && { items: published(items) }),
    ...(anyOf && { anyOf: anyOf.map(published) }),
  }
}

/** The JSON Schema of `polgate serve --config`. */
export const configSchemaText = (): string =>
  `${JSON.stringify(
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      title: 'Configuration of polgate serve',
      ...published(configSchema()),
    },
    null,
    2,
  )}\n`
