import { postgresOfTests } from './testing/postgresOfTests.ts'

const server = await postgresOfTests()

/**
 * The engines that the store's tests run on: the embedded one, and a server if PostgreSQL is
 * available.
 */
export const engines: readonly { readonly name: string; readonly url: string | undefined }[] = [
  { name: 'embedded', url: undefined },
  ...(server === undefined ? [] : [{ name: 'server', url: server }]),
]
