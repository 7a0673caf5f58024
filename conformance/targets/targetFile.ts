import { readFileSync } from 'node:fs'
import type { TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { devPrivateKeys } from 'polgate-chain/accounts.ts'
import { type Brand, defaultBrand } from 'polgate-protocol/brand.ts'
import { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { nearest } from '../core/select.ts'
import { TargetFile } from './targetSchema.ts'
import { readTargetText } from './targetText.ts'

type Environment = Readonly<Record<string, string | undefined>>

let compiled: ValidateFunction | undefined

/** Compiled on first use, which takes half a second: most runs read no target file. */
function fileValidator(): ValidateFunction {
  // Environment values are text, also for numeric members.
  compiled ??= new Ajv({
    allErrors: false,
    strict: false,
    ownProperties: true,
    coerceTypes: true,
    validateSchema: false,
  }).compile(TargetFile)
  return compiled
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new CannotRun(`cannot read ${path}`, undefined, cause)
  }
}

/** Member names that a schema allows at a path. */
function membersAt(schema: TSchema, pointer: string): readonly string[] {
  const step = (at: TSchema | undefined, part: string): TSchema | undefined =>
    at?.properties?.[part] ?? at?.items ?? Object.values(at?.patternProperties ?? {})[0]
  const parts = pointer.split('/').slice(1)
  const place = parts.reduce<TSchema | undefined>(step, schema)
  return Object.keys(place?.properties ?? {})
}

function choices(schema: TSchema, pointer: string): readonly string[] {
  const parts = pointer.split('/').slice(1)
  const place = parts.reduce<TSchema | undefined>(
    (at, part) => at?.properties?.[part] ?? at?.items,
    schema,
  )
  const options = (place?.anyOf ?? []) as readonly TSchema[]
  return options.flatMap(({ const: value }) => (typeof value === 'string' ? [value] : []))
}

function refusal(error: ErrorObject, value: unknown, placeOf: (pointer: string) => string) {
  const { instancePath, params, message } = error
  const where = instancePath === '' ? 'the document' : instancePath.slice(1).replaceAll('/', '.')
  const unknown = (params as { additionalProperty?: string }).additionalProperty
  if (unknown !== undefined) {
    const like = nearest(unknown, membersAt(TargetFile, instancePath))
    return new CannotRun(
      `${placeOf(`${instancePath}/${unknown}`)} unknown member '${unknown}' in ${where}`,
      like === undefined ? undefined : `Did you mean '${like}'?`,
    )
  }
  // ajv reports only the first variant of a union; the user needs all options.
  const options = choices(TargetFile, instancePath)
  const given = instancePath
    .split('/')
    .slice(1)
    .reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], value)
  if (options.length > 0 && typeof given === 'string')
    return new CannotRun(
      `${placeOf(instancePath)} ${where} names '${given}', which is not one of ${options.join(', ')}`,
      `Did you mean '${nearest(given, options)}'?`,
    )
  return new CannotRun(`${placeOf(instancePath)} ${where} ${message}`)
}

/**
 * Reads and validates a target file, YAML or JSON, with environment values substituted. Errors give
 * file, line, column and path.
 *
 * @throws CannotRun
 */
export function readTargetFile(path: string, env: Environment = {}): TargetFile {
  const publicKeys = devPrivateKeys as readonly string[]
  const { value, placeOf } = readTargetText(readText(path), { path, env, publicKeys })
  const validateFile = fileValidator()
  if (!validateFile(value)) throw refusal(validateFile.errors![0]!, value, placeOf)
  const file = value as TargetFile
  const ways = (['gatewayUrl', 'command', 'image'] as const).filter(
    (way) => file[way] !== undefined,
  )
  if (ways.length > 1)
    throw new CannotRun(
      `${placeOf(`/${ways[1]}`)} names ${ways.join(' and ')}: use exactly one of them`,
    )
  return file
}

/** The description written by `svc start`, if it exists and is valid. */
export function readStackDescription(path: string): StackDescription | undefined {
  try {
    const value: unknown = JSON.parse(readText(path))
    return Value.Check(StackDescription, value) ? value : undefined
  } catch (error) {
    if (error instanceof CannotRun || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The brand of the file, else that of the stack. */
export const brandOf = (file: TargetFile | undefined, stack: Brand = defaultBrand): Brand => ({
  ...stack,
  ...file?.brand,
})
