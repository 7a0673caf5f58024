import { availableParallelism } from 'node:os'
import type { Database } from 'polgate-service/store/database.ts'
import type { Deployment } from './deployment.ts'
import { familyTime, machineTime, processTime } from './processTimes.ts'

/** Kinds of processes. `load` is the client, which is this process. */
export const kinds = ['gateways', 'operators', 'postgres', 'indexer', 'chain', 'load'] as const
export type Kind = (typeof kinds)[number]

/** CPU seconds used so far. */
export type Usage = {
  /** Seconds of the clock. */
  readonly at: number
  readonly machine: { readonly busy: number; readonly all: number }
  readonly total: Readonly<Record<Kind, number>>
  /** Main threads of the kinds that run on Node, by process. */
  readonly mainThreads: Readonly<Partial<Record<Kind, readonly number[]>>>
  /** Of PostgreSQL, what the connections of the indexer used. */
  readonly postgresOfIndexer: number
}

export async function readUsage(
  { pids, store }: Deployment,
  gateways: readonly number[],
): Promise<Usage> {
  const ofIndexer = await connectionsOf(store.database, 'indexer')
  const times = (all: readonly number[]) => all.map(processTime)
  const sum = (all: readonly { readonly total: number }[]) =>
    all.reduce((total, each) => total + each.total, 0)
  const nodes = {
    gateways: times(gateways),
    operators: times(pids.operators),
    indexer: times([pids.indexer]),
  }
  const { user, system } = process.cpuUsage()
  return {
    at: performance.now() / 1000,
    machine: machineTime(),
    total: {
      gateways: sum(nodes.gateways),
      operators: sum(nodes.operators),
      indexer: sum(nodes.indexer),
      postgres: familyTime(pids.postgres),
      chain: processTime(pids.chain).total,
      load: (user + system) / 1e6,
    },
    mainThreads: Object.fromEntries(
      Object.entries(nodes).map(([kind, all]) => [kind, all.map(({ mainThread }) => mainThread)]),
    ),
    postgresOfIndexer: sum(times(ofIndexer)),
  }
}

async function connectionsOf(database: Database, name: string): Promise<number[]> {
  const rows = await database.query<{ pid: number }>(
    'select pid from pg_stat_activity where application_name = $1',
    [name],
  )
  return rows.map(({ pid }) => pid)
}

/** CPU seconds between two readings. */
export function usageBetween(before: Usage, after: Usage) {
  const seconds = after.at - before.at
  const total = Object.fromEntries(
    kinds.map((kind) => [kind, after.total[kind] - before.total[kind]]),
  ) as Record<Kind, number>
  /** The busiest main thread of each kind, as a part of one core. */
  const busiestThread = Object.fromEntries(
    Object.entries(after.mainThreads).map(([kind, all]) => [
      kind,
      Math.max(...all.map((each, at) => each - before.mainThreads[kind as Kind]![at]!)) / seconds,
    ]),
  ) as Partial<Record<Kind, number>>
  return {
    seconds,
    total,
    busiestThread,
    postgresOfIndexer: Math.max(0, after.postgresOfIndexer - before.postgresOfIndexer),
    /** Part of all cores that was in use, by whatever process, and by these. */
    machine: (after.machine.busy - before.machine.busy) / (after.machine.all - before.machine.all),
    own: sumOf(total) / (seconds * availableParallelism()),
  }
}

const sumOf = (all: Readonly<Record<Kind, number>>): number =>
  kinds.reduce((sum, kind) => sum + all[kind], 0)

export type UsageBetween = ReturnType<typeof usageBetween>
