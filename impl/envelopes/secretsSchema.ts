import { runInNewContext } from 'node:vm'
import { Ajv, type ErrorObject, type Options } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { errorCode } from '../protocol/jsonRpc.ts'
import { ServiceError } from '../protocol/serviceError.ts'
import type { Secrets } from './secrets.ts'

export type SecretsSchema = Readonly<Record<string, unknown>>

const maxSchemaBytes = 64 * 1024
/** A schema comes from whoever deployed the oracle: its patterns and references may never end. */
const deadlineMilliseconds = 500
const maxErrors = 10

/** @throws ServiceError `Secrets upload validation failed: {details}` (section 7.3) */
const refuse = (details: string, cause?: unknown): never => {
  throw new ServiceError(`Secrets upload validation failed: ${details}`, {
    code: errorCode.dataProvider,
    clause: 'section 2.7',
    hint: 'Compare the names and values of the secrets with the schema of the PolicyData.',
    cause,
  })
}

const validatorFor = (schema: SecretsSchema) => {
  const { $schema, ...rest } = schema
  const dialect = typeof $schema === 'string' ? $schema : ''
  const options: Options = { strict: false, allErrors: true, logger: false }
  const ajv = dialect.includes('2020-12')
    ? new Ajv2020(options)
    : dialect.includes('2019-09')
      ? new Ajv2019(options)
      : new Ajv(options)
  addFormats.default(ajv)
  return ajv.compile(rest)
}

/** Names of members and rules; the values that broke them are secrets. */
const detail = (error: ErrorObject): string => {
  const at = error.instancePath.slice(1).replaceAll('/', '.')
  const extra = error.params.additionalProperty
  const name = typeof extra === 'string' ? ` '${extra.slice(0, 64)}'` : ''
  return `${at === '' ? 'secrets' : at} ${error.message ?? 'is not valid'}${name}`
}

/**
 * Reads a schema document (section 2.7).
 *
 * @throws ServiceError when it is too large or not a JSON object
 */
export const parseSecretsSchema = (text: string): SecretsSchema => {
  if (Buffer.byteLength(text) > maxSchemaBytes)
    return refuse(`the secrets schema is larger than ${maxSchemaBytes} bytes`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    return refuse('the secrets schema is not JSON', cause)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('the secrets schema is not a JSON object')
  return value as SecretsSchema
}

/**
 * Validates secrets against the schema of their oracle, within a deadline.
 *
 * @throws ServiceError `Secrets upload validation failed: {details}`; details never hold a value
 */
export const validateSecrets = (schema: SecretsSchema, secrets: Secrets): void => {
  let details: string[] = []
  const run = () => {
    const validate = validatorFor(schema)
    if (!validate(secrets)) details = (validate.errors ?? []).slice(0, maxErrors).map(detail)
  }
  try {
    // The call runs in this realm; only the clock that can stop it comes from the other.
    runInNewContext('run()', { run }, { timeout: deadlineMilliseconds })
  } catch (cause) {
    const code = (cause as { code?: string }).code
    refuse(
      code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
        ? 'the secrets schema takes too long'
        : 'the secrets schema cannot be used',
      cause,
    )
  }
  if (details.length > 0) refuse(details.join('; '))
}
