import { CommandError } from './commandDefinition.ts'

/**
 * URL of the default PostgreSQL server: `SVC_DATABASE_URL`, which takes precedence where
 * `DATABASE_URL` belongs to another program, else `DATABASE_URL`.
 *
 * @throws CommandError where the variable that counts is empty: a secret that is missing must not make a
 *   service keep its data elsewhere
 */
export function databaseUrl(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.SVC_DATABASE_URL) return env.SVC_DATABASE_URL
  if (env.DATABASE_URL === '')
    throw new CommandError('DATABASE_URL is empty', {
      hint: 'A secret that it comes from may be missing. Set it to the URL of a server, or unset it.',
    })
  return env.DATABASE_URL
}

type Place = { readonly dataDir?: string | undefined; readonly url?: string | undefined }

/** Sets the store of a configuration without one to the server of the environment, if any. */
export function withDatabaseUrl<T extends { readonly store?: unknown }>(config: T): T {
  const url = databaseUrl()
  const store = config.store ?? {}
  if (url === undefined || typeof store !== 'object') return config
  const { dataDir, url: named } = store as Place
  return dataDir === undefined && named === undefined ? { ...config, store: { url } } : config
}
