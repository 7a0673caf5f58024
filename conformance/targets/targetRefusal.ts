import type { TSchema } from '@sinclair/typebox'
import type { ErrorObject } from 'ajv'
import { CannotRun } from '../core/conformanceError.ts'
import { nearest } from '../core/select.ts'
import { type Profile, profiles, withDependencies } from '../register/profiles.ts'
import { TargetFile } from './targetSchema.ts'

const partsOf = (pointer: string) => pointer.split('/').slice(1)

/** The schema of a member, of an item, or of any member of a map. */
const schemaAt = (pointer: string): TSchema | undefined =>
  partsOf(pointer).reduce<TSchema | undefined>(
    (at, part) =>
      at?.properties?.[part] ?? at?.items ?? Object.values(at?.patternProperties ?? {})[0],
    TargetFile as TSchema,
  )

const valueAt = (value: unknown, pointer: string): unknown =>
  partsOf(pointer).reduce<unknown>(
    (at, part) => (at as Record<string, unknown> | null | undefined)?.[part],
    value,
  )

/** The texts of a choice. */
const choicesOf = (schema: TSchema | undefined): readonly string[] =>
  ((schema?.anyOf ?? []) as readonly TSchema[]).flatMap(({ const: value }) =>
    typeof value === 'string' ? [value] : [],
  )

const forms: readonly (readonly [pattern: RegExp, form: string])[] = [
  [/^\^https\?:/, 'an address that begins with http:// or https://'],
  [/^\^wss\?:/, 'an address that begins with ws:// or wss://'],
  [/\{40\}/, 'an address of the chain: 0x and 40 hexadecimal digits'],
  [/^\^sha256:/, 'sha256: and 64 lower-case hexadecimal digits'],
  [/\{64\}/, '0x and 64 hexadecimal digits'],
  [/^\^\[0-9\]\+\(/, 'a decimal number as text, such as "0.5"'],
]

const formOf = (pattern: string): string =>
  forms.find(([known]) => known.test(pattern))?.[1] ?? `text of the form ${pattern}`

const kinds: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? 'text' : `${value}`
}

/** What a schema accepts, in words. */
function acceptedBy(schema: TSchema | undefined): string | undefined {
  if (schema === undefined) return undefined
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.anyOf))
    return schema.anyOf.map((each: TSchema) => acceptedBy(each) ?? 'another value').join(', or ')
  if (typeof schema.pattern === 'string') return formOf(schema.pattern)
  const { properties, required = [] } = schema
  if (properties !== undefined && required.length > 0)
    return `an object with ${required.join(', ')}`
  return kinds[String(schema.type)]
}

const bounds: Readonly<Record<string, string>> = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
}

const lengths: Readonly<Record<string, string>> = {
  minLength: 'is shorter than the required number of characters,',
  maxLength: 'is longer than the permitted number of characters,',
  minItems: 'lists fewer than the required number of values,',
  maxItems: 'lists more than the permitted number of values,',
}

type Refusal = { readonly says: string; readonly hint?: string | undefined }

/** What is wrong with a value. Text is not repeated: it may be the value of a secret variable. */
function refusalOf(
  { keyword, params }: ErrorObject,
  schema: TSchema | undefined,
  value: unknown,
): Refusal {
  const { limit } = params as { limit?: number }
  const accepted = acceptedBy(schema)
  if (keyword in bounds) return { says: `is ${value}, and must be ${bounds[keyword]} ${limit}` }
  if (keyword in lengths) return { says: `${lengths[keyword]} ${limit}` }
  if (keyword === 'uniqueItems') return { says: 'lists a value twice' }
  if (keyword === 'pattern') {
    const form = formOf(String((params as { pattern?: unknown }).pattern))
    return { says: `is not ${form}` }
  }
  const what = kindOf(value)
  return accepted === undefined
    ? {
        says: `is ${what}, which is not accepted`,
        hint: 'See conformance/targets/target.schema.json.',
      }
    : { says: `is ${what === 'text' ? 'a text' : what}, and must be ${accepted}` }
}

/** The profiles that former features belong to; the others are no part of the service of their own. */
const profileOfFeature: Readonly<Record<string, Profile>> = {
  webhooks: 'webhooks',
  websocket: 'updates',
  explorer: 'explorer',
  secrets: 'secrets',
  'privacy-key': 'private-data',
  identity: 'private-data',
  confidential: 'private-data',
}

const formerOthers: Readonly<Record<string, string>> = {
  'second-network': 'second-network is tested where networks names one',
  batch: 'batch is an open point, which every run observes',
  discover: 'discover is an open point, which every run observes',
}

function profilesInstead(features: unknown): string {
  const names = Array.isArray(features) ? features.map(String) : []
  const found = names.flatMap((name) => profileOfFeature[name] ?? [])
  const others = names.flatMap((name) => formerOthers[name] ?? [])
  const lines = `profiles: [${withDependencies(['tasks', ...found]).join(', ')}]`
  return [
    `Write instead: ${lines}`,
    `add those that the gateway has too, of ${profiles.join(', ')}, or leave profiles out to test all of them`,
    ...new Set(others),
  ].join('; ')
}

/**
 * Why a target file is not valid: where the member is, its name, what is wrong and what is accepted.
 *
 * @param error the first one of the validator
 * @param placeOf file, line and column of a member
 */
export function refusedMember(
  error: ErrorObject,
  value: unknown,
  placeOf: (pointer: string) => string,
): CannotRun {
  const { instancePath, params } = error
  const where = instancePath === '' ? 'the document' : partsOf(instancePath).join('.')
  const schema = schemaAt(instancePath)
  const { additionalProperty: unknown, missingProperty: missing } = params as {
    additionalProperty?: string
    missingProperty?: string
  }
  if (unknown === 'features' && instancePath === '')
    return new CannotRun(
      `${placeOf('/features')} 'features' is replaced by 'profiles', the parts of the service that a run tests`,
      profilesInstead((value as { features?: unknown }).features),
    )
  if (unknown !== undefined) {
    const known = Object.keys(schema?.properties ?? {})
    const like = nearest(unknown, known)
    return new CannotRun(
      `${placeOf(`${instancePath}/${unknown}`)} unknown member '${unknown}' in ${where}`,
      like === undefined ? undefined : `Did you mean '${like}'?`,
    )
  }
  if (missing !== undefined) {
    const accepted = acceptedBy(schemaAt(`${instancePath}/${missing}`))
    return new CannotRun(
      `${placeOf(instancePath)} ${where} has no member '${missing}'`,
      `Add ${missing}${accepted === undefined ? '' : `: ${accepted}`}.`,
    )
  }
  const given = valueAt(value, instancePath)
  // The validator reports only the first variant of a choice; the user needs all of them.
  const choices = choicesOf(schema)
  if (choices.length > 0 && typeof given === 'string')
    return new CannotRun(
      `${placeOf(instancePath)} ${where} names '${given}', which is not one of ${choices.join(', ')}`,
      `Did you mean '${nearest(given, choices)}'?`,
    )
  const { says, hint } = refusalOf(error, schema, given)
  return new CannotRun(`${placeOf(instancePath)} ${where} ${says}`, hint)
}
