import { AppError } from 'polgate-lib/errors/appError.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import type { Database } from 'polgate-service/store/database.ts'
import { type Store, storeOn } from 'polgate-service/store/openStore.ts'

class StoreClosed extends AppError {}

/**
 * A store on a database that outlives it. Once it is closed it refuses queries: what a service left
 * running must not write to the database of the next one.
 */
export function leasedStore(database: Database, clock: Clock): Store {
  let closed = false
  const ifOpen = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closed) throw new StoreClosed('the database is closed')
    return await work()
  }
  const { engine, durability, syncs, explorerCall } = database
  const leased: Database = {
    ...{ engine, durability, ...(syncs && { syncs }) },
    query: (...args) => ifOpen(() => database.query(...args)),
    execute: (script) => ifOpen(() => database.execute(script)),
    transaction: (work) => ifOpen(() => database.transaction(work)),
    ...(explorerCall && { explorerCall: (...args) => ifOpen(() => explorerCall(...args)) }),
    async close() {
      closed = true
    },
  }
  return storeOn(leased, { clock })
}
