import type { Clock } from 'polgate-protocol/clock.ts'
import type { Database, Queries } from '../database.ts'
import { lockCursor, nextListSeq } from './cursor.ts'
import { type EndedTask, endedTaskColumns, recordOf, writeRecords } from './records.ts'
import { refreshTasks } from './taskRows.ts'

/**
 * Reads what gateways have recorded (decision X4): ends of tasks that never reach the chain, and
 * errors. Does nothing before the first block has been read, because rows have no list position
 * yet.
 *
 * A record that a gateway is changing at the moment is left for the next call.
 */
export const absorbRecords =
  (database: Database, clock: Clock) =>
  async (chainId: number, limit: number): Promise<number> => {
    // Called several times a second, mostly without a result: then it takes no lock.
    const [any] = await database.query(
      `select 1 from tasks
       where chain_id = $1 and finished_at is not null and explored_at is null limit 1`,
      [chainId],
    )
    if (any === undefined) return 0
    return database.transaction(async (tx) => {
      const nextBlock = await lockCursor(tx, chainId)
      if (nextBlock === undefined) return 0
      const tasks = await tx.query<EndedTask>(
        `select ${endedTaskColumns} from tasks
         where chain_id = $1 and finished_at is not null and explored_at is null
         order by finished_at, id limit $2 for no key update skip locked`,
        [chainId, limit],
      )
      if (tasks.length === 0) return 0
      const now = clock()
      await tx.query('update tasks set explored_at = $2 where id = any($1::text[])', [
        tasks.map(({ id }) => id),
        new Date(now),
      ])
      const changed = await keepRecords(tx, chainId, tasks)
      await refreshTasks(tx, chainId, {
        ids: changed,
        before: nextBlock,
        events: [],
        head: nextBlock - 1,
        listSeq: await nextListSeq(tx, chainId),
        now,
      })
      return tasks.length
    })
  }

/** Most tasks succeed, and the chain has all their facts: their records are not copied. */
async function keepRecords(
  tx: Queries,
  chainId: number,
  tasks: readonly EndedTask[],
): Promise<string[]> {
  const records = tasks.flatMap((task) => recordOf(task) ?? [])
  const known = await tx.query<{
    id: string
    stored: boolean
    complete: boolean
    indexed: boolean
  }>(
    `select asked.id,
       exists (select from explorer_records r
         where r.chain_id = $1 and r.id = decode(asked.id, 'hex')) as stored,
       coalesce(bool_or(e.kind = 1) and bool_or(e.kind = 2), false) as complete,
       count(e.kind) > 0 as indexed
     from unnest($2::text[]) as asked(id)
     left join explorer_events e on e.chain_id = $1 and e.subject = decode(asked.id, 'hex')
     group by asked.id`,
    [chainId, records.map(({ id }) => id)],
  )
  const knownOf = new Map(known.map((row) => [row.id, row]))
  const relevant = records.filter((record) => {
    const { stored, complete, indexed } = knownOf.get(record.id) ?? {}
    const adds = record.alone || record.error !== null || record.operatorErrors !== null
    return stored || adds || (indexed && !complete)
  })
  await writeRecords(tx, chainId, relevant)
  return relevant.map(({ id }) => id)
}

/**
 * Stores the records of those tasks that have events, but not both a creation and a response: only
 * the gateway's record has the rest, such as the policy of a task whose response was never posted
 * or which was spent directly.
 *
 * @param ids bare hex
 * @param before of the events only those of earlier blocks count; the others are about to be removed
 */
export async function keepRecordsOfIncomplete(
  tx: Queries,
  chainId: number,
  ids: readonly string[],
  before: number | null = null,
): Promise<void> {
  if (ids.length === 0) return
  const tasks = await tx.query<EndedTask>(
    `select ${endedTaskColumns} from tasks t
     where t.id = any($2::text[]) and t.chain_id = $1 and t.finished_at is not null
       and (select count(*) > 0 and not (bool_or(kind = 1) and bool_or(kind = 2))
         from explorer_events
         where chain_id = $1 and subject = decode(substr(t.id, 3), 'hex')
           and ($3::int8 is null or block < $3))`,
    [chainId, ids.map((id) => `0x${id}`), before],
  )
  await writeRecords(
    tx,
    chainId,
    tasks.flatMap((task) => recordOf(task) ?? []),
  )
}
