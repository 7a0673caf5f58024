import { openStore, type Store } from '../../store/openStore.ts'
import { openServer } from '../../store/server.ts'
import { openTestStore } from '../../store/testing/openTestStore.ts'

/** One database with any number of stores, one per simulated process. */
export type SharedStores = {
  readonly store: Store
  /** The same store on an embedded database, which allows one process. */
  another(): Promise<Store>
  close(): Promise<void>
}

/** @param url of a server, on which a schema is created; undefined for an embedded database */
export async function openSharedStores(url: string | undefined): Promise<SharedStores> {
  if (url === undefined) {
    const store = await openTestStore()
    return { store, another: async () => store, close: () => store.close() }
  }
  const schema = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const server = await openServer(url)
  await server.execute(`create schema ${schema}`)
  const own = new URL(url)
  own.searchParams.set('options', `-c search_path=${schema}`)
  const stores = [await openStore({ url: own.href })]
  return {
    store: stores[0]!,
    async another() {
      const store = await openStore({ url: own.href })
      stores.push(store)
      return store
    },
    async close() {
      for (const store of stores) await store.close()
      await server.execute(`drop schema ${schema} cascade`)
      await server.close()
    },
  }
}
