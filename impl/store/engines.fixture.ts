import { openStore, type Store, type StoreOptions } from './openStore.ts'
import { openServer } from './server.ts'

/**
 * The engines that the tests of this room run on: the embedded one always, a server where
 * `SVC_TEST_POSTGRES_URL` names a database in which schemas may be made.
 */
export const engines: readonly { readonly name: string; readonly url: string | undefined }[] = [
  { name: 'embedded', url: undefined },
  ...(process.env.SVC_TEST_POSTGRES_URL === undefined
    ? []
    : [{ name: 'server', url: process.env.SVC_TEST_POSTGRES_URL }]),
]

/** An empty store on an engine; on a server in a schema of its own, dropped at the end. */
export const openEmptyStore = async (
  url: string | undefined,
  options: StoreOptions = {},
): Promise<Store> => {
  if (url === undefined) return openStore(options)
  const schema = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const server = await openServer(url)
  await server.execute(`create schema ${schema}`)
  const own = new URL(url)
  own.searchParams.set('options', `-c search_path=${schema}`)
  const store = await openStore({ ...options, url: own.href })
  const close = async () => {
    await store.close()
    await server.execute(`drop schema ${schema} cascade`)
    await server.close()
  }
  return { ...store, close }
}
