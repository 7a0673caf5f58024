import { readFileSync } from 'node:fs'
import { Value } from '@sinclair/typebox/value'
import { Ajv, type ValidateFunction } from 'ajv'
import { devPrivateKeys } from 'polgate-chain/accounts.ts'
import { type Brand, defaultBrand } from 'polgate-protocol/brand.ts'
import { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { CannotRun } from '../core/conformanceError.ts'
import { refusedMember } from './targetRefusal.ts'
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
  if (!validateFile(value)) throw refusedMember(validateFile.errors![0]!, value, placeOf)
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

/** The description written by `polgate start`, if it exists and is valid. */
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
