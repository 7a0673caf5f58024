import type { TSchema } from '@sinclair/typebox'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { contentIdKeyword, isContentId } from 'polgate-protocol/contentId.ts'
import { allowedValues, mustBeOneOf } from 'polgate-protocol/enumeration.ts'
import { bareHexKeyword } from 'polgate-protocol/scalars.ts'
import { invalidFormat } from 'polgate-protocol/serviceError.ts'

const ajv = new Ajv({
  strict: true,
  verbose: true,
  unicodeRegExp: false,
  ownProperties: true,
  logger: false,
})
ajv.addKeyword({ keyword: bareHexKeyword, schemaType: 'boolean' })
ajv.addKeyword({
  keyword: contentIdKeyword,
  type: 'string',
  schemaType: 'boolean',
  validate: (_: boolean, text: string) => isContentId(text),
})

type ObjectSchema = TSchema & { properties: Record<string, TSchema>; required?: string[] }

const isObjectSchema = (schema: TSchema): schema is ObjectSchema =>
  schema.type === 'object' && schema.properties !== undefined

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Copies the members of the schema and drops others; null means absent for optional members
 * (decision E3). Free-form documents such as policy parameters are not modified.
 */
function project(schema: TSchema, value: unknown): unknown {
  if (schema.type === 'array' && Array.isArray(value))
    return value.map((item) => project(schema.items as TSchema, item))
  if (!isObjectSchema(schema) || !isPlain(value)) return value
  const kept: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(value, name)) continue
    if (value[name] === null && schema.required?.includes(name) !== true) continue
    kept[name] = project(member, value[name])
  }
  return kept
}

/** Adds `0x` to bare hex where the schema says so (decision E4). Top-level members only. */
function completeHex(schema: TSchema, value: Record<string, unknown>): void {
  for (const [name, member] of Object.entries((schema as ObjectSchema).properties)) {
    const text = value[name]
    if (member[bareHexKeyword] === true && typeof text === 'string' && !text.startsWith('0x'))
      value[name] = `0x${text}`
  }
}

/** `policy_data[0].wasm_args` */
const pathOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '')

/** Keywords whose error message uses the description of the schema. */
const describedRules: readonly string[] = ['pattern', contentIdKeyword]

/**
 * The path of the member and the violated rule. The value, truncated, is included only for
 * enumerations; otherwise it may be a secret.
 */
function detail(errors: readonly ErrorObject[]): string {
  const error = errors[0]!
  const path = pathOf(error.instancePath)
  const missing = error.params.missingProperty
  if (typeof missing === 'string') return `${path === '' ? '' : `${path}.`}${missing} is required`
  const allowed = allowedValues(error, errors)
  if (allowed !== undefined) return `${path} ${mustBeOneOf(allowed, error.data)}`
  const description = error.parentSchema?.description
  const rule =
    describedRules.includes(error.keyword) && typeof description === 'string'
      ? `must be ${description}`
      : (error.message ?? 'is not valid')
  return `${path === '' ? 'params' : path} ${rule}`
}

/**
 * The validator of a method's parameters, compiled from its schema on first use.
 *
 * @returns a function that returns normalized parameters
 * @throws (the function) ServiceError -32602 `Invalid request format: {details}` (decision E6)
 */
export function paramsParser(schema: TSchema): (params: unknown) => Record<string, unknown> {
  let validate: ValidateFunction | undefined
  const takesNone = Object.keys((schema as ObjectSchema).properties).length === 0
  return (params) => {
    if (Array.isArray(params) && params.length === 0 && takesNone) return {}
    validate ??= ajv.compile(schema)
    const kept = project(schema, params)
    if (!validate(kept)) throw invalidFormat(detail(validate.errors!))
    completeHex(schema, kept as Record<string, unknown>)
    return kept as Record<string, unknown>
  }
}
