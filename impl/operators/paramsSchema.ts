import { runInNewContext } from 'node:vm'
import { Ajv, type ValidateFunction } from 'ajv'
import type { ContentStore } from '../oracles/contentStore.ts'
import { OracleError } from '../oracles/oracleError.ts'
import { regoFailed } from './operatorErrors.ts'

const maxSchemaBytes = 64 * 1024
/** A schema is a stranger's: its patterns may never end. */
const deadlineMs = 500
const maxKept = 100

const validators = new Map<string, ValidateFunction>()
/** Parameters change seldom: those that fitted are not looked at again. */
const fitted = new Set<string>()

/**
 * Parameters are a JSON value that fits the policy's schema, where it has one (decision R8).
 *
 * @throws ServiceError `Rego evaluation failed: {details}`
 */
export async function requireParams(
  content: ContentStore,
  params: string,
  schemaCid: string,
  signal: AbortSignal,
): Promise<void> {
  const known = `${schemaCid} ${params}`
  if (fitted.has(known)) return
  const value = parsed(params)
  if (schemaCid === '') return
  const validate = validators.get(schemaCid) ?? (await compiled(content, schemaCid, signal))
  const problem = withDeadline(() => {
    if (validate(value)) return undefined
    const first = validate.errors?.[0]
    return `${(first?.instancePath ?? '').slice(1) || 'params'} ${first?.message ?? 'is not valid'}`
  })
  if (problem !== undefined) throw regoFailed(`policy params do not fit their schema: ${problem}`)
  if (fitted.size >= maxKept) fitted.clear()
  fitted.add(known)
}

function parsed(params: string): unknown {
  try {
    return JSON.parse(params)
  } catch {
    throw regoFailed('policy params are not JSON')
  }
}

async function compiled(
  content: ContentStore,
  cid: string,
  signal: AbortSignal,
): Promise<ValidateFunction> {
  const bytes = await content.get(cid, { signal }).catch((error: unknown) => {
    signal.throwIfAborted()
    const details = error instanceof OracleError ? error.details : 'not found'
    throw regoFailed(`the schema of the policy params: ${details}`, error)
  })
  const text = Buffer.from(bytes).toString('utf8')
  const validate = withDeadline(() => {
    if (text.length > maxSchemaBytes) throw new RangeError('too large')
    const { $schema: _, ...schema } = JSON.parse(text) as Record<string, unknown>
    return new Ajv({ strict: false, logger: false }).compile(schema)
  })
  if (validators.size >= maxKept) validators.clear()
  validators.set(cid, validate)
  return validate
}

/** Runs in this realm, under the one clock that can stop it. */
function withDeadline<T>(work: () => T): T {
  let result: T | undefined
  const run = () => {
    result = work()
  }
  try {
    runInNewContext('run()', { run }, { timeout: deadlineMs })
  } catch (error) {
    throw regoFailed('the schema of the policy params cannot be used', error)
  }
  return result as T
}
