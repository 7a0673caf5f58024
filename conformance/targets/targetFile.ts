import { readFileSync } from 'node:fs'
import { type Static, Type } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { Brand, defaultBrand } from '../../impl/protocol/brand.ts'
import { Network } from '../../impl/protocol/explorer.ts'
import { Address } from '../../impl/protocol/scalars.ts'
import { StackDescription } from '../../impl/protocol/stackDescription.ts'
import { CannotRun } from '../runner/conformanceError.ts'

const ExploredNetwork = Type.Object(
  {
    rpcUrl: Type.Optional(Type.String({ pattern: '^https?://' })),
    chainId: Type.Optional(Type.Integer({ minimum: 1 })),
    taskManager: Type.Optional(Address),
    policyFactory: Type.Optional(Address),
  },
  { additionalProperties: false },
)

/**
 * What a target file may say: any part of a stack's description but keys, names with a brand of
 * their own, and the needs that this target cannot have, each with a reason. Accounts hold test
 * keys only; API keys come from the environment.
 */
export const TargetFile = Type.Object(
  {
    chain: Type.Optional(StackDescription.properties.chain),
    controlUrl: Type.Optional(Type.String()),
    fixtureHostUrl: Type.Optional(Type.String()),
    updatesUrl: Type.Optional(Type.String({ pattern: '^wss?://' })),
    explorerUrl: Type.Optional(Type.String({ pattern: '^https?://' })),
    explorerNetwork: Type.Optional(Network),
    explorerLagSeconds: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 170 })),
    networks: Type.Optional(
      Type.Partial(Type.Record(Network, ExploredNetwork), { additionalProperties: false }),
    ),
    webhookReceiver: Type.Optional(
      Type.Object(
        {
          url: Type.String({ pattern: '^https?://' }),
          port: Type.Integer({ minimum: 1, maximum: 65_535 }),
          host: Type.Optional(Type.String()),
        },
        { additionalProperties: false },
      ),
    ),
    accounts: Type.Optional(Type.Partial(StackDescription.properties.accounts)),
    operators: Type.Optional(StackDescription.properties.operators),
    clients: Type.Optional(StackDescription.properties.clients),
    brand: Type.Optional(Type.Partial(Brand)),
    notApplicable: Type.Optional(Type.Record(Type.String(), Type.String({ minLength: 10 }))),
  },
  { additionalProperties: false },
)
export type TargetFile = Static<typeof TargetFile>

const ajv = new Ajv({ allErrors: false, strict: false })
const validateFile = ajv.compile(TargetFile)
const validateStack = ajv.compile(StackDescription)

const readJson = (path: string): unknown => {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new CannotRun(`cannot read ${path}`, undefined, cause)
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CannotRun(`${path} is not JSON: ${(cause as Error).message}`, undefined, cause)
  }
}

/** Reads and checks a target file; a wrong member is named by its path. */
export const readTargetFile = (path: string): TargetFile => {
  const value = readJson(path)
  if (!validateFile(value)) {
    const error = validateFile.errors?.[0]
    const extra = error?.params as { additionalProperty?: string } | undefined
    const name = extra?.additionalProperty === undefined ? '' : ` '${extra.additionalProperty}'`
    throw new CannotRun(
      `${path} is no target file: ${error?.instancePath || 'the top'} ${error?.message}${name}`,
      'API keys belong in the environment: SVC_KEY_READ, SVC_KEY_WRITE ...',
    )
  }
  return value as TargetFile
}

/** The description that `svc start` left, where there is one that reads as such. */
export const readStackDescription = (path: string): StackDescription | undefined => {
  try {
    const value = readJson(path)
    return validateStack(value) ? (value as StackDescription) : undefined
  } catch (error) {
    if (error instanceof CannotRun) return undefined
    throw error
  }
}

/** What the file says of the brand, before what a stack says of itself. */
export const brandOf = (file: TargetFile | undefined, stack: Brand = defaultBrand): Brand => ({
  ...stack,
  ...file?.brand,
})
