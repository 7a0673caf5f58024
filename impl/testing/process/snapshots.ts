import type { SerialQueue } from 'polgate-lib/async/serialQueue.ts'
import { AppError } from 'polgate-lib/errors/appError.ts'
import type { Database } from 'polgate-service/store/database.ts'
import { chainRpc } from '../stack/chainRpc.ts'
import { createDatabaseCopies } from './databaseCopies.ts'

/** A snapshot that does not exist, or no longer. */
export class UnknownSnapshot extends AppError {}

/** States of a stack: chain and database. */
export type Snapshots = {
  /** The state now. @returns its id */
  take(): Promise<string>
  /**
   * Restarts the service on that state. Later snapshots are dropped, and the snapshot itself unless it is kept.
   * @throws UnknownSnapshot
   */
  restore(id: string, options: { readonly keep: boolean }): Promise<void>
  drop(id: string): Promise<void>
}

type Snapshot = { readonly id: string; chain: string; readonly order: number }

/**
 * The service is restarted between the states: what it knows of the other state in memory (nonces,
 * blocks, observations, subscribers) would otherwise get into this one.
 */
export function createSnapshots(stack: {
  readonly database: Database
  readonly rpcUrl: string
  /** One change at a time. */
  readonly queue: SerialQueue
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
}): Snapshots {
  const { rpcUrl, queue } = stack
  const copies = createDatabaseCopies(stack.database)
  const known = new Map<string, Snapshot>()
  let count = 0
  const chainState = async () => String(await chainRpc(rpcUrl, 'evm_snapshot'))

  function find(id: string): Snapshot {
    const found = known.get(id)
    if (found !== undefined) return found
    throw new UnknownSnapshot(`Unknown snapshot ${id.slice(0, 40)}`, {
      hint: 'Restoring a snapshot drops those taken after it. Take another one.',
    })
  }
  async function forget({ id }: Snapshot): Promise<void> {
    known.delete(id)
    await copies.drop(id)
  }

  return {
    take: () =>
      queue.run(async () => {
        count += 1
        const id = `snapshot_${count}`
        // Rows first: a service that finds its chain ahead of its rows catches up, as after a crash.
        await copies.take(id)
        known.set(id, { id, chain: await chainState(), order: count })
        return id
      }),
    restore: (id, { keep }) =>
      queue.run(async () => {
        const snapshot = find(id)
        await stack.stop()
        await copies.restore(id)
        if ((await chainRpc(rpcUrl, 'evm_revert', [snapshot.chain])) !== true)
          throw new UnknownSnapshot(`The chain has no snapshot ${id}`, {
            hint: 'Do not call evm_revert yourself on the chain of a test stack: start a new stack.',
          })
        const later = [...known.values()].filter(({ order }) => order > snapshot.order)
        for (const each of later) await forget(each)
        // Reverting uses up a snapshot of the chain.
        if (keep) snapshot.chain = await chainState()
        else await forget(snapshot)
        await stack.start()
      }),
    drop: (id) =>
      queue.run(async () => {
        const found = known.get(id)
        if (found !== undefined) await forget(found)
      }),
  }
}
