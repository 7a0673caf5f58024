import type { SerialQueue } from 'polgate-lib/async/serialQueue.ts'
import { AppError } from 'polgate-lib/errors/appError.ts'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import type { Database } from 'polgate-service/store/database.ts'
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
  /** The ids of the states that can be restored, in the order in which they were taken. */
  ids(): readonly string[]
  /** Removes the copies that a process before this one left in a persistent database. */
  forgetOld(): Promise<void>
}

type Snapshot = { readonly id: string; chains: readonly unknown[]; readonly order: number }

const prefix = 'snapshot_'

/**
 * The service is restarted between the states: what it knows of the other state in memory (nonces,
 * blocks, observations, subscribers) would otherwise get into this one.
 */
export function createSnapshots(stack: {
  readonly database: Database
  /** The nodes of all chains. */
  readonly rpcUrls: readonly string[]
  /** One change at a time. */
  readonly queue: SerialQueue
  readonly stop: () => Promise<void>
  /** @param id the snapshot that was restored */
  readonly start: (id: string) => Promise<void>
}): Snapshots {
  const { rpcUrls, queue } = stack
  const copies = createDatabaseCopies(stack.database)
  const known = new Map<string, Snapshot>()
  let count = 0
  const chainStates = () => Promise.all(rpcUrls.map((url) => chainRpc(url, 'evm_snapshot')))

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
        const id = `${prefix}${count}`
        // Rows first: a service that finds its chain ahead of its rows catches up, as after a crash.
        await copies.take(id)
        known.set(id, { id, chains: await chainStates(), order: count })
        return id
      }),
    restore: (id, { keep }) =>
      queue.run(async () => {
        const snapshot = find(id)
        await stack.stop()
        await copies.restore(id)
        for (const [at, url] of rpcUrls.entries()) {
          if ((await chainRpc(url, 'evm_revert', [snapshot.chains[at]])) !== true)
            throw new UnknownSnapshot(`The chain has no snapshot ${id}`, {
              hint: 'Do not call evm_revert yourself on the chain of a stack: start a new stack.',
            })
        }
        const later = [...known.values()].filter(({ order }) => order > snapshot.order)
        for (const each of later) await forget(each)
        // Reverting uses up a snapshot of the chain.
        if (keep) snapshot.chains = await chainStates()
        else await forget(snapshot)
        await stack.start(id)
      }),
    ids: () => [...known.keys()],
    forgetOld: () => queue.run(() => copies.dropAll(prefix)),
    drop: (id) =>
      queue.run(async () => {
        const found = known.get(id)
        if (found !== undefined) await forget(found)
      }),
  }
}
