import type { Clock } from 'polgate-protocol/clock.ts'
import type { Database, Queries } from '../database.ts'
import { keepRecordsOfIncomplete } from './absorbRecords.ts'
import { lockCursor, moveCursor, nextListSeq } from './cursor.ts'
import { refreshTasks } from './taskRows.ts'

/** The block from which on there are about this many events, or `fromBlock` if there are fewer. */
async function lastPart(
  tx: Queries,
  chainId: number,
  fromBlock: number,
  atATime: number,
): Promise<number> {
  const [row] = await tx.query<{ block: number }>(
    `select block from explorer_events where chain_id = $1 and block >= $2
     order by block desc, log_index desc offset $3 limit 1`,
    [chainId, fromBlock, atATime],
  )
  return row?.block ?? fromBlock
}

/**
 * Rolls back everything from a block on (decision X5, see `ExplorerIndex`), in one transaction.
 *
 * @param atATime the number of events per step, which bounds memory
 */
export const rollBack =
  (database: Database, clock: Clock, atATime = 10_000) =>
  (chainId: number, fromBlock: number): Promise<void> =>
    database.transaction(async (tx) => {
      const nextBlock = await lockCursor(tx, chainId)
      if (nextBlock === undefined || nextBlock <= fromBlock) return
      const now = clock()
      const head = fromBlock - 1
      // From the newest on, so that each step renumbers few rows.
      for (let block = nextBlock; block > fromBlock; ) {
        block = await lastPart(tx, chainId, fromBlock, atATime)
        const gone = await tx.query<{ subject: string }>(
          `with gone as (
             delete from explorer_events where chain_id = $1 and block >= $2 returning subject
           ) select distinct encode(subject, 'hex') as subject from gone`,
          [chainId, block],
        )
        const ids = gone.map(({ subject }) => subject)
        await keepRecordsOfIncomplete(tx, chainId, ids, fromBlock)
        const listSeq = await nextListSeq(tx, chainId)
        await refreshTasks(tx, chainId, { ids, before: block, events: [], head, listSeq, now })
      }
      // They are the newest of the list: the ordinals of the others do not change.
      await tx.query('delete from explorer_policies where chain_id = $1 and deployed_block >= $2', [
        chainId,
        fromBlock,
      ])
      await tx.query('delete from explorer_blocks where chain_id = $1 and number >= $2', [
        chainId,
        fromBlock,
      ])
      await moveCursor(tx, chainId, fromBlock, new Date(now))
    })
