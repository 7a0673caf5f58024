import { inject } from 'vitest'
import type { SharedPostgres } from './sharedPostgres.ts'

/**
 * The PostgreSQL server of this test run, in which tests may create schemas. Undefined without one;
 * the reason is printed.
 */
export async function postgresOfTests(): Promise<string | undefined> {
  const response = await fetch(inject('postgres'))
  const answer = (await response.json()) as SharedPostgres
  if ('url' in answer) return answer.url
  process.stderr.write(`Skipping tests on a PostgreSQL server: ${answer.missing}\n`)
  return undefined
}
