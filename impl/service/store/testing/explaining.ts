import type { Database } from '../database.ts'

/** A database that tells how its queries would be executed, and finds nothing. */
export const explaining = (database: Database, tell: (plan: string) => void): Database => ({
  ...database,
  async query(sql, parameters) {
    const plan = await database.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, parameters)
    tell(plan.map((row) => row['QUERY PLAN']).join('\n'))
    return []
  },
})
