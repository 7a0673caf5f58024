import { Worker } from 'node:worker_threads'
import { type Database, type Queries, type Row, StatementError } from './database.ts'
import { StoreError, type StoreErrorReason } from './storeError.ts'

/** Asked of the thread: each has a number, and its answer the same. */
export type StoreRequest = { readonly id: number } & Wish

type Wish =
  | { readonly does: 'open' | 'begin' | 'close' }
  | { readonly does: 'end'; readonly tx: number; readonly commits: boolean }
  | {
      readonly does: 'query' | 'execute'
      readonly sql: string
      readonly params?: readonly unknown[]
      /** The number of the request that began the transaction. */
      readonly tx?: number | undefined
    }

export type StoreAnswer = {
  readonly id: number
  readonly value?: unknown
  /** All that is kept of an error: drivers hang parameters and rows on theirs. */
  readonly error?: {
    readonly message: string
    readonly code: unknown
    /** Of a StoreError. */
    readonly store?: { readonly code: StoreErrorReason; readonly hint: string }
  }
}

type Asked = { readonly resolve: (value: unknown) => void; readonly reject: (e: Error) => void }

/**
 * The embedded database in a thread of its own: what it computes does not hold up this one, for the
 * price of a message to and fro.
 *
 * @param dataDir in memory where none is given
 * @throws StoreError `unavailable`
 */
export const openInThread = async (dataDir: string | undefined): Promise<Database> => {
  const worker = new Worker(new URL('./storeThread.worker.mjs', import.meta.url), {
    workerData: dataDir,
  })
  const asked = new Map<number, Asked>()
  let last = 0
  let gone: Error | undefined
  const lose = (cause: unknown) => {
    gone ??= new StoreError('The thread of the database has ended', {
      code: 'unavailable',
      hint: 'Start the service again.',
      cause,
    })
    for (const { reject } of asked.values()) reject(gone)
    asked.clear()
  }
  const post = (wish: Wish): { readonly id: number; readonly answer: Promise<unknown> } => {
    const id = ++last
    const answer = new Promise((resolve, reject) => {
      if (gone !== undefined) return reject(gone)
      worker.postMessage({ id, ...wish } satisfies StoreRequest)
      asked.set(id, { resolve, reject })
    })
    return { id, answer }
  }
  const ask = (wish: Wish) => post(wish).answer
  worker.on('message', ({ id, value, error }: StoreAnswer) => {
    const waiting = asked.get(id)
    asked.delete(id)
    if (error === undefined) waiting?.resolve(value)
    else if (error.store === undefined) waiting?.reject(new StatementError(error))
    else waiting?.reject(new StoreError(error.message, error.store))
  })
  worker.on('error', lose)
  worker.on('exit', lose)

  const within = (tx?: number): Queries & Pick<Database, 'execute'> => ({
    query: async <T extends Row>(sql: string, params: readonly unknown[] = []) =>
      (await ask({ does: 'query', sql, params, tx })) as T[],
    execute: async (sql) => void (await ask({ does: 'execute', sql, tx })),
  })
  const database: Database = {
    engine: 'embedded',
    ...within(),
    async transaction(work) {
      const { id, answer } = post({ does: 'begin' })
      await answer
      let value: Awaited<ReturnType<typeof work>>
      try {
        value = await work(within(id))
      } catch (error) {
        // What went wrong first is told, whatever the end of it comes to.
        await ask({ does: 'end', tx: id, commits: false }).catch(() => {})
        throw error
      }
      await ask({ does: 'end', tx: id, commits: true })
      return value
    },
    async close() {
      try {
        if (gone === undefined) await ask({ does: 'close' })
      } finally {
        await worker.terminate()
      }
    },
  }
  try {
    await ask({ does: 'open' })
  } catch (error) {
    await worker.terminate()
    throw error
  }
  return database
}
