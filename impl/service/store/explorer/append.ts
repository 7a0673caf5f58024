import type { Clock } from 'polgate-protocol/clock.ts'
import type { Database } from '../database.ts'
import { keepRecordsOfIncomplete } from './absorbRecords.ts'
import { insertBlocks } from './blocks.ts'
import type { ChainEvent } from './chainEvent.ts'
import { lockOrBegin, moveCursor, nextListSeq } from './cursor.ts'
import type { ExplorerIndex } from './explorerIndex.ts'
import { insertPolicies } from './policies.ts'
import {
  insertTaskEvents,
  type TaskChainEvent,
  type TaskEvent,
  type TaskEventKind,
  taskEventOf,
} from './taskEvents.ts'
import { refreshTasks } from './taskRows.ts'

type Batch = Parameters<ExplorerIndex['append']>[1]

const isTaskEvent = (event: ChainEvent): event is TaskChainEvent => event.kind !== 'policyDeployed'

/** Tasks for which these events alone are not complete. */
function incomplete(events: readonly TaskEvent[]): string[] {
  const having = (wanted: TaskEventKind) =>
    new Set(events.filter(({ kind }) => kind === wanted).map(({ subject }) => subject))
  const [created, responded] = [having('created'), having('responded')]
  const ids = new Set(events.map(({ subject }) => subject))
  return [...ids].filter((id) => !created.has(id) || !responded.has(id))
}

/** Stores whole blocks, exactly once (see `ExplorerIndex`). */
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
            `Block ${number} has an event but is missing from the blocks of its batch`,
          )
        return timestamp
      }
      const taken = events
        .filter(isTaskEvent)
        .map((whole) => ({ whole, event: taskEventOf(whole, timeOf(whole.blockNumber)) }))
      await insertTaskEvents(tx, chainId, taken)
      const taskEvents = taken.map(({ event }) => event)
      await keepRecordsOfIncomplete(tx, chainId, incomplete(taskEvents))
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
