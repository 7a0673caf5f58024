/**
 * The PostgreSQL server that the environment names, for whoever names no store: `DATABASE_URL` as
 * everywhere, `SVC_DATABASE_URL` where that one belongs to something else.
 */
export const databaseUrl = (env: NodeJS.ProcessEnv = process.env): string | undefined =>
  env.SVC_DATABASE_URL || env.DATABASE_URL || undefined

/** Which server and database, without user and password. */
export function describeUrl(url: string): string {
  try {
    const { host, pathname } = new URL(url)
    return `the PostgreSQL database ${host}${pathname}`
  } catch {
    return 'a PostgreSQL database'
  }
}
