import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from 'polgate-lib/errors/appError.ts'
import type { Transaction } from './database.ts'
import { openEmbedded } from './embedded.ts'
import { type ExplorerStore, explorerStore } from './explorer/explorerStore.ts'
import { StoreError } from './storeError.ts'
import { SyncCounters } from './syncCounters.ts'
import type { StoreAnswer, StoreRequest, StoreThreadData } from './threadedDatabase.ts'

type Open = {
  readonly tx: Promise<Transaction>
  /** Commits, or rolls back. */
  readonly end: (commits: boolean) => void
  readonly ended: Promise<void>
}

class RolledBack extends AppError {}

const { dataDir, durability, memory } = workerData as StoreThreadData
const database = openEmbedded(dataDir, { durability, counters: new SyncCounters(memory) })
const open = new Map<number, Open>()

/** Statements of the transaction wait until it begins. */
function begin(): Open {
  let end: Open['end'] = () => {}
  const ending = new Promise<void>((resolve, reject) => {
    end = (commits) => (commits ? resolve() : reject(new RolledBack()))
  })
  let begun: (tx: Transaction) => void = () => {}
  const beginning = new Promise<Transaction>((resolve) => {
    begun = resolve
  })
  const ended = database.then(({ transaction }) =>
    transaction((tx) => {
      begun(tx)
      return ending
    }),
  )
  // Rejects here if the transaction never begins, because the database is closed.
  const tx = Promise.race([beginning, ended.then(() => beginning)])
  for (const each of [ending, ended, tx]) each.catch(() => {})
  return { tx, end, ended }
}

async function end(id: number, commits: boolean): Promise<void> {
  const { end, ended } = open.get(id) ?? {}
  open.delete(id)
  end?.(commits)
  try {
    await ended
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
}

async function answer(request: StoreRequest): Promise<unknown> {
  switch (request.does) {
    case 'open':
      return void (await database)
    case 'end':
      return end(request.tx, request.commits)
    case 'close':
      return (await database).close()
    case 'explorer': {
      const { method, args, now } = request
      const store = explorerStore(await database, () => now)
      const call = store[method as keyof ExplorerStore] as (...args: unknown[]) => Promise<unknown>
      return await call(...args)
    }
  }
  const { does, sql, params, options, tx, begins } = request
  if (tx !== undefined && begins) open.set(tx, begin())
  const within = await (tx === undefined ? database : open.get(tx)?.tx)
  if (within === undefined) throw new Error('the transaction has ended')
  return does === 'execute' ? within.execute(sql) : within.query(sql, params, options)
}

parentPort?.on('message', (request: StoreRequest) => {
  const post = (reply: StoreAnswer) => parentPort?.postMessage(reply)
  answer(request).then(
    (value) => post({ id: request.id, value }),
    (error: { message?: unknown; code?: unknown }) => {
      const store = error instanceof StoreError && { code: error.code, hint: error.hint }
      const failure = { message: String(error.message), code: error.code, ...(store && { store }) }
      post({ id: request.id, error: failure })
    },
  )
})
