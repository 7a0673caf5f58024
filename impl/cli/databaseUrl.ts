/**
 * URL of the default PostgreSQL server: `SVC_DATABASE_URL`, which takes precedence where
 * `DATABASE_URL` belongs to another program, else `DATABASE_URL`.
 */
export const databaseUrl = (env: NodeJS.ProcessEnv = process.env): string | undefined =>
  env.SVC_DATABASE_URL || env.DATABASE_URL || undefined

type Place = { readonly dataDir?: string | undefined; readonly url?: string | undefined }

/** Sets the store of a configuration without one to the server of the environment, if any. */
export function withDatabaseUrl<T extends { readonly store?: unknown }>(config: T): T {
  const url = databaseUrl()
  const store = config.store ?? {}
  if (url === undefined || typeof store !== 'object') return config
  const { dataDir, url: named } = store as Place
  return dataDir === undefined && named === undefined ? { ...config, store: { url } } : config
}
