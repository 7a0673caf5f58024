import type { SchemaJob, SchemaMisfit } from 'polgate-service/operators/schemaCheckThread.ts'
import {
  createSchemaThreads,
  defaultSchemaMs,
  SlowSchemaError,
} from 'polgate-service/operators/schemaThreads.ts'
import { JobThreadError } from 'polgate-service/scheduling/jobThreadError.ts'
import { CommandError } from '../commandDefinition.ts'
import type { TextFile } from './policyPackage.ts'

/**
 * Schemas of packages are of others: their patterns and references may not terminate. They run in a thread that has the
 * limit of the service.
 */
const threads = createSchemaThreads({ wallMs: 120_000, idleMs: 5_000 })

/**
 * @param document JSON text
 * @returns the first place where it does not fit the schema; undefined if it fits
 * @throws CommandError with the file, and the pattern that takes too long
 */
export async function schemaMisfit(
  schema: TextFile,
  document: string,
): Promise<SchemaMisfit | undefined> {
  const answer = await answerTo(schema, { schema: schema.text, document })
  if ('misfit' in answer) return answer.misfit
  throw new CommandError(`${schema.path}: the schema ${reasonOf(answer)}`, {
    hint: 'Correct the JSON Schema.',
  })
}

/**
 * @param secrets JSON text
 * @returns why they do not fit their schema, without repeating one; undefined if they fit
 * @throws CommandError with the file, and the pattern that takes too long
 */
export async function secretsMisfit(
  schema: TextFile,
  secrets: string,
): Promise<string | undefined> {
  const answer = await answerTo(schema, { schema: schema.text, secrets })
  return 'problem' in answer ? answer.problem : undefined
}

const reasonOf = (answer: object): string =>
  'unusable' in answer ? String(answer.unusable) : 'cannot be used'

const hint = `The service ends a check after ${defaultSchemaMs / 1_000} s of CPU time, and refuses what it checks. Repeat no group that repeats itself, such as (a+)+, and no reference that doubles.`

async function answerTo({ path }: TextFile, job: SchemaJob) {
  try {
    return await threads.run(job, { owner: '' })
  } catch (cause) {
    if (cause instanceof SlowSchemaError)
      throw new CommandError(`${path}: ${cause.message}`, { hint, cause })
    if (!(cause instanceof JobThreadError)) throw cause
    if (cause.code === 'late')
      throw new CommandError(`${path}: the schema could not be checked in time`, {
        hint: 'The machine is busy: try again.',
        cause,
      })
    const what = cause.code === 'memory' ? 'takes too much memory' : 'cannot be checked'
    throw new CommandError(`${path}: the schema ${what}`, { hint, cause })
  }
}
