import type { Clock } from '../../protocol/clock.ts'
import type { Database } from '../database.ts'
import { keepRecordsOfUncreated } from './absorbRecords.ts'
import { insertBlocks } from './blocks.ts'
import type { ChainEvent } from './chainEvent.ts'
import { lockOrBegin, moveCursor, nextListSeq } from './cursor.ts'
import type { ExplorerIndex } from './explorerStore.ts'
import { insertPolicies } from './policies.ts'
import { insertTaskEvents, type TaskChainEvent, type TaskEvent, taskEventOf } from './taskEvents.ts'
import { refreshTasks } from './taskRows.ts'

type Batch = Parameters<ExplorerIndex['append']>[1]

const isTaskEvent = (event: ChainEvent): event is TaskChainEvent => event.kind !== 'policyDeployed'

/** Tasks of which something happened before anybody saw them created. */
const uncreated = (events: readonly TaskEvent[]): string[] => {
  const created = new Set<string>()
  for (const { kind, subject } of events) if (kind === 'created') created.add(subject)
  const others = events.filter(({ subject }) => !created.has(subject))
  return [...new Set(others.map(({ subject }) => subject))]
}

/** Takes in whole blocks, exactly once (see `ExplorerIndex`). */
export const append =
  (database: Database, clock: Clock) =>
  (chainId: number, { from, to, blocks, events }: Batch): Promise<boolean> =>
    database.transaction(async (tx) => {
      const now = clock()
      if ((await lockOrBegin(tx, chainId, from, new Date(now))) !== from) return false
      const timestamps = new Map(blocks.map(({ number, timestamp }) => [number, timestamp]))
      const timeOf = (number: number): number => {
        const timestamp = timestamps.get(number)
        if (timestamp === undefined)
          throw new TypeError(
            `Block ${number} has an event and is not among the blocks of its batch`,
          )
        return timestamp
      }
      const taken = events
        .filter(isTaskEvent)
        .map((whole) => ({ whole, event: taskEventOf(whole, timeOf(whole.blockNumber)) }))
      await insertTaskEvents(tx, chainId, taken)
      const taskEvents = taken.map(({ event }) => event)
      await keepUncreated(tx, chainId, taskEvents)
      const tasksIn = await refreshTasks(tx, chainId, {
        ids: [...new Set(taskEvents.map(({ subject }) => subject))],
        before: from,
        events: taskEvents,
        head: to,
        listSeq: await nextListSeq(tx, chainId),
        now,
      })
      const deployed = events.filter((event) => event.kind === 'policyDeployed')
      const policiesIn = await insertPolicies(tx, chainId, deployed, timeOf, new Date(now))
      const eventful = new Set(events.map(({ blockNumber }) => blockNumber))
      await insertBlocks(
        tx,
        chainId,
        [...blocks]
          .sort((a, b) => a.number - b.number)
          .map((block) => ({
            block,
            eventful: eventful.has(block.number),
            tasks: tasksIn.get(block.number) ?? 0,
            policies: policiesIn.get(block.number) ?? 0,
          })),
      )
      await moveCursor(tx, chainId, to + 1, new Date(now))
      return true
    })

const keepUncreated = async (
  tx: Parameters<typeof insertTaskEvents>[0],
  chainId: number,
  events: readonly TaskEvent[],
): Promise<void> => {
  const ids = uncreated(events)
  if (ids.length === 0) return
  const rows = await tx.query<{ id: string }>(
    `select asked.id from unnest($2::text[]) as asked(id)
     where not exists (select from explorer_tasks t
       where t.chain_id = $1 and t.id = decode(asked.id, 'hex'))`,
    [chainId, ids],
  )
  await keepRecordsOfUncreated(
    tx,
    chainId,
    rows.map(({ id }) => id),
  )
}
