import { inject } from 'vitest'
import type { SharedPostgres } from './sharedPostgres.ts'

/**
 * The PostgreSQL server of this test run, in which schemas may be made; undefined, and a line that
 * says why, where there is none.
 */
export async function postgresOfTests(): Promise<string | undefined> {
  const response = await fetch(inject('postgres'))
  const answer = (await response.json()) as SharedPostgres
  if ('url' in answer) return answer.url
  process.stderr.write(`Tests on a PostgreSQL server are left out: ${answer.missing}\n`)
  return undefined
}
