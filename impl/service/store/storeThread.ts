import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from 'polgate-lib/errors/appError.ts'
import type { Transaction } from './database.ts'
import { openEmbedded } from './embedded.ts'
import { StoreError } from './storeError.ts'
import type { StoreAnswer, StoreRequest } from './threadedDatabase.ts'

/** An open transaction. `end` commits it, or rolls it back. */
type Open = { readonly tx: Transaction; readonly end: (commits: boolean) => void }

class RolledBack extends AppError {}

const database = openEmbedded(workerData as string | undefined)
const open = new Map<number, Open>()
/** Running transactions until their commit or rollback, by the same id. */
const ended = new Map<number, Promise<void>>()

async function begin(id: number): Promise<void> {
  const { transaction } = await database
  let begun: () => void = () => {}
  const beginning = new Promise<void>((resolve) => {
    begun = resolve
  })
  const running = transaction(
    (tx) =>
      new Promise<void>((resolve, reject) => {
        const end = (commits: boolean) => (commits ? resolve() : reject(new RolledBack()))
        open.set(id, { tx, end })
        begun()
      }),
  )
  ended.set(id, running)
  // Rejects here if the transaction never begins, because the database is closed.
  await Promise.race([beginning, running])
}

async function end(id: number, commits: boolean): Promise<void> {
  open.get(id)?.end(commits)
  try {
    await ended.get(id)
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  } finally {
    open.delete(id)
    ended.delete(id)
  }
}

async function answer(request: StoreRequest): Promise<unknown> {
  switch (request.does) {
    case 'open':
      return void (await database)
    case 'begin':
      return begin(request.id)
    case 'end':
      return end(request.tx, request.commits)
    case 'close':
      return (await database).close()
  }
  const { does, sql, params, tx } = request
  const within = tx === undefined ? await database : open.get(tx)?.tx
  if (within === undefined) throw new Error('the transaction has ended')
  return does === 'execute' ? within.execute(sql) : within.query(sql, params)
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
