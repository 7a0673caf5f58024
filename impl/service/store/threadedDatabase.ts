import { Worker } from 'node:worker_threads'
import { type Database, type Queries, type Row, StatementError } from './database.ts'
import { StoreError, type StoreErrorReason } from './storeError.ts'

/** A request to the thread; the answer has the same id. */
export type StoreRequest = { readonly id: number } & RequestBody

type RequestBody =
  | { readonly does: 'open' | 'begin' | 'close' }
  | { readonly does: 'end'; readonly tx: number; readonly commits: boolean }
  | {
      readonly does: 'query' | 'execute'
      readonly sql: string
      readonly params?: readonly unknown[]
      /** The id of the request that began the transaction. */
      readonly tx?: number | undefined
    }

export type StoreAnswer = {
  readonly id: number
  readonly value?: unknown
  /** The parts of an error that are passed on: drivers attach parameters and rows to theirs. */
  readonly error?: {
    readonly message: string
    readonly code: unknown
    /** Set for a StoreError. */
    readonly store?: { readonly code: StoreErrorReason; readonly hint: string }
  }
}

type PendingRequest = {
  readonly resolve: (value: unknown) => void
  readonly reject: (e: Error) => void
}

/**
 * The embedded database in a separate thread: its work does not block this one, at the price of a
 * message in each direction.
 *
 * @param dataDir in memory when undefined
 * @throws StoreError `unavailable`
 */
export async function openInThread(dataDir: string | undefined): Promise<Database> {
  const worker = new Worker(new URL('./storeThread.worker.mjs', import.meta.url), {
    workerData: dataDir,
  })
  const pending = new Map<number, PendingRequest>()
  let last = 0
  let failure: Error | undefined
  const fail = (cause: unknown) => {
    failure ??= new StoreError('The database thread has ended', {
      code: 'unavailable',
      hint: 'Restart the service.',
      cause,
    })
    for (const { reject } of pending.values()) reject(failure)
    pending.clear()
  }
  const post = (body: RequestBody): { readonly id: number; readonly answer: Promise<unknown> } => {
    const id = ++last
    const answer = new Promise((resolve, reject) => {
      if (failure !== undefined) return reject(failure)
      worker.postMessage({ id, ...body } satisfies StoreRequest)
      pending.set(id, { resolve, reject })
    })
    return { id, answer }
  }
  const request = (body: RequestBody) => post(body).answer
  worker.on('message', ({ id, value, error }: StoreAnswer) => {
    const waiting = pending.get(id)
    pending.delete(id)
    if (error === undefined) waiting?.resolve(value)
    else if (error.store === undefined) waiting?.reject(new StatementError(error))
    else waiting?.reject(new StoreError(error.message, error.store))
  })
  worker.on('error', fail)
  worker.on('exit', fail)

  const within = (tx?: number): Queries & Pick<Database, 'execute'> => ({
    query: async <T extends Row>(sql: string, params: readonly unknown[] = []) =>
      (await request({ does: 'query', sql, params, tx })) as T[],
    execute: async (sql) => void (await request({ does: 'execute', sql, tx })),
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
        // The first error is reported, whatever the rollback does.
        await request({ does: 'end', tx: id, commits: false }).catch(() => {})
        throw error
      }
      await request({ does: 'end', tx: id, commits: true })
      return value
    },
    async close() {
      try {
        if (failure === undefined) await request({ does: 'close' })
      } finally {
        await worker.terminate()
      }
    },
  }
  try {
    await request({ does: 'open' })
  } catch (error) {
    await worker.terminate()
    throw error
  }
  return database
}
