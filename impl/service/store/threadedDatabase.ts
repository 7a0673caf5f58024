import { Worker } from 'node:worker_threads'
import {
  type Database,
  type Queries,
  type QueryOptions,
  type Row,
  StatementError,
} from './database.ts'
import { StoreError, type StoreErrorReason } from './storeError.ts'
import { SyncCounters } from './syncCounters.ts'

export type StoreThreadData = {
  readonly dataDir: string | undefined
  readonly durability: 'durable' | 'relaxed'
  /** Of the counters of syncs. */
  readonly memory: SharedArrayBuffer
}

/** A request to the thread; the answer has the same id. */
export type StoreRequest = { readonly id: number } & RequestBody

type RequestBody =
  | { readonly does: 'open' | 'close' }
  | { readonly does: 'end'; readonly tx: number; readonly commits: boolean }
  | {
      readonly does: 'explorer'
      readonly method: string
      readonly args: readonly unknown[]
      readonly now: number
    }
  | {
      readonly does: 'query' | 'execute'
      readonly sql: string
      readonly params?: readonly unknown[]
      readonly options?: QueryOptions | undefined
      /** The transaction. */
      readonly tx?: number | undefined
      /** Whether the transaction begins with this statement. */
      readonly begins?: boolean
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
export async function openInThread(
  dataDir: string | undefined,
  durability: 'durable' | 'relaxed' = 'durable',
): Promise<Database> {
  const memory = SyncCounters.memory()
  const counters = new SyncCounters(memory)
  const mode = dataDir === undefined ? 'memory' : durability
  const worker = new Worker(new URL('./storeThread.worker.mjs', import.meta.url), {
    workerData: { dataDir, durability, memory } satisfies StoreThreadData,
    // Flags of the process may not be valid for a thread, as those of --eval are not.
    execArgv: [],
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
  const request = (body: RequestBody) => {
    const id = ++last
    return new Promise<unknown>((resolve, reject) => {
      if (failure !== undefined) return reject(failure)
      worker.postMessage({ id, ...body } satisfies StoreRequest)
      pending.set(id, { resolve, reject })
    })
  }
  worker.on('message', ({ id, value, error }: StoreAnswer) => {
    const waiting = pending.get(id)
    pending.delete(id)
    if (error === undefined) waiting?.resolve(value)
    else if (error.store === undefined) waiting?.reject(new StatementError(error))
    else waiting?.reject(new StoreError(error.message, error.store))
  })
  worker.on('error', fail)
  worker.on('exit', fail)

  type Place = () => { readonly tx?: number; readonly begins?: boolean }
  const within = (place: Place): Queries & Pick<Database, 'execute'> => ({
    query: async <T extends Row>(
      sql: string,
      params: readonly unknown[] = [],
      options?: QueryOptions,
    ) => (await request({ does: 'query', sql, params, options, ...place() })) as T[],
    execute: async (sql) => void (await request({ does: 'execute', sql, ...place() })),
  })
  let transactions = 0
  const database: Database = {
    engine: 'embedded',
    durability: { mode, problems: [] },
    ...(mode === 'durable' && { syncs: () => counters.read() }),
    ...within(() => ({})),
    async transaction(work) {
      const tx = ++transactions
      let begun = false
      const end = async (commits: boolean) => {
        if (begun) await request({ does: 'end', tx, commits })
      }
      let value: Awaited<ReturnType<typeof work>>
      try {
        value = await work(
          within(() => {
            const begins = !begun
            begun = true
            return { tx, begins }
          }),
        )
      } catch (error) {
        // The first error is reported, whatever the rollback does.
        await end(false).catch(() => {})
        throw error
      }
      await end(true)
      return value
    },
    explorerCall: (method, args, now) => request({ does: 'explorer', method, args, now }),
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
