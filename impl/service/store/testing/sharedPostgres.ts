import { createServer } from 'node:http'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import { type RunningPostgres, startPostgres } from './postgresServer.ts'

/** The answer to a test process: the URL of the server, or why there is none. */
export type SharedPostgres = { readonly url: string } | { readonly missing: string }

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: adds to the interface of vitest
  interface ProvidedContext {
    /** The URL at which test processes request the server's URL. */
    postgres: string
  }
}

/**
 * One PostgreSQL for all processes of a test run, started at the first request: most runs of a few
 * tests do not need it.
 */
export async function sharePostgres(): Promise<{
  readonly askAt: string
  close(): Promise<void>
}> {
  let starting: Promise<RunningPostgres> | undefined
  const answer = async (): Promise<SharedPostgres> => {
    try {
      starting ??= startPostgres()
      return { url: (await starting).url }
    } catch (error) {
      const { message, hint = '' } = error as { message: string; hint?: string }
      return { missing: `${message}. ${hint}` }
    }
  }
  const server = createServer(async (_, response) => {
    response.end(JSON.stringify(await answer()))
  })
  const { url: askAt } = await listen(server)
  server.unref()
  return {
    askAt,
    async close() {
      await drain(server)
      await (await starting?.catch(() => undefined))?.stop()
    },
  }
}
