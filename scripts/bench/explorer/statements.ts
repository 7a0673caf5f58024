import type { Database } from 'polgate-service/store/database.ts'

/** Settings of a server that counts the time of each statement; part of PostgreSQL's contributions. */
export const countingSettings = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
}

/** Milliseconds of one statement, summed up over its calls. */
export type StatementTime = {
  readonly statement: string
  readonly calls: number
  readonly planMs: number
  readonly runMs: number
}

/** Starts to count. @returns whether the server does: it was started with `countingSettings` */
export async function resetStatements(database: Database): Promise<boolean> {
  const found = await database.query(
    "select from pg_settings where name = 'pg_stat_statements.track'",
  )
  if (found.length === 0) return false
  await database.execute('create extension if not exists pg_stat_statements')
  await database.query('select pg_stat_statements_reset()')
  return true
}

/** The statements since then that took most, without those of this file. */
export const statementTimes = (database: Database): Promise<StatementTime[]> =>
  database.query<StatementTime>(
    `select left(regexp_replace(query, '\\s+', ' ', 'g'), 60) as statement, calls,
       total_plan_time as "planMs", total_exec_time as "runMs"
     from pg_stat_statements where query not like '%pg_stat_statements%'
     order by total_plan_time + total_exec_time desc limit 5`,
  )
