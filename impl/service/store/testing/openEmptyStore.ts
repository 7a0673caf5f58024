import { openStore, type Store, type StoreOptions } from '../openStore.ts'
import { openServer } from '../server.ts'
import { openTestStore } from './openTestStore.ts'

/** An empty store on an engine; on a server in a separate schema, which `close` drops. */
export async function openEmptyStore(
  url: string | undefined,
  options: StoreOptions = {},
): Promise<Store> {
  if (url === undefined)
    return options.ownThread === undefined ? openTestStore(options) : openStore(options)
  const schema = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const admin = await openServer(url)
  await admin.execute(`create schema ${schema}`)
  const own = new URL(url)
  own.searchParams.set('options', `-c search_path=${schema}`)
  const store = await openStore({ ...options, url: own.href })
  let closed: Promise<void> | undefined
  const remove = async () => {
    await store.close()
    await admin.execute(`drop schema ${schema} cascade`)
    await admin.close()
  }
  const close = () => {
    closed ??= remove()
    return closed
  }
  return { ...store, close }
}
