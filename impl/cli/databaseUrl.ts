/**
 * The PostgreSQL server that the environment names, for whoever names no store: `DATABASE_URL` as
 * everywhere, `SVC_DATABASE_URL` where that one belongs to something else.
 */
export const databaseUrl = (env: NodeJS.ProcessEnv = process.env): string | undefined =>
  env.SVC_DATABASE_URL || env.DATABASE_URL || undefined

type Place = { readonly dataDir?: string | undefined; readonly url?: string | undefined }

/** A configuration that names no store gets that of the environment, where there is one. */
export function withDatabaseUrl<T extends { readonly store?: unknown }>(config: T): T {
  const url = databaseUrl()
  const store = config.store ?? {}
  if (url === undefined || typeof store !== 'object') return config
  const { dataDir, url: named } = store as Place
  return dataDir === undefined && named === undefined ? { ...config, store: { url } } : config
}
