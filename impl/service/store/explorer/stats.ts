import type { ExplorerStats } from 'polgate-protocol/explorer.ts'
import type { Database } from '../database.ts'
import type { StatsWindows } from './explorerQueries.ts'

/** Running counts up to a block, or up to an off-chain row, so that no rows are counted. */
const upToBlock = (column: 'tasks' | 'policies', timestamp: string) => `coalesce((
    select ${column} from explorer_blocks where chain_id = $1 and timestamp <= ${timestamp}
    order by timestamp desc, number desc limit 1), 0)`
const offChainUpTo = (milliseconds: string) => `coalesce((
    select off_n from explorer_tasks
    where chain_id = $1 and off_n is not null and admitted_at <= ${milliseconds}
    order by admitted_at desc, off_n desc limit 1), 0)`

const sql = `select
    ${upToBlock('tasks', '$3')} - ${upToBlock('tasks', '$2')}
      + ${offChainUpTo('$5')} - ${offChainUpTo('$4')} as total_tasks,
    ${upToBlock('policies', '$7')} - ${upToBlock('policies', '$6')} as total_policies`

const always = Number.MAX_SAFE_INTEGER
/** Milliseconds of a date; without a date, beyond every possible one. */
const from = (date: Date | undefined) => date?.getTime() ?? -always
const until = (date: Date | undefined) => date?.getTime() ?? always

/** The last whole second before a moment, and the last one up to and including it. */
const before = (milliseconds: number) => Math.ceil(milliseconds / 1000) - 1
const upTo = (milliseconds: number) =>
  milliseconds === always ? always : Math.floor(milliseconds / 1000)

/**
 * Counts within windows, both ends included, by the times that lists show: the time of the creation
 * block, or of the admission for a task that never reached the chain.
 */
export const statsQuery =
  (database: Database) =>
  async (chainId: number, { tasks, policies }: StatsWindows): Promise<ExplorerStats> => {
    const [taskStart, taskEnd] = [from(tasks.start), until(tasks.end)]
    const [row] = await database.query<ExplorerStats>(
      sql,
      [
        chainId,
        before(taskStart),
        upTo(taskEnd),
        taskStart - 1,
        taskEnd,
        before(from(policies.start)),
        upTo(until(policies.end)),
      ],
      { planOnce: true },
    )
    const { total_tasks = 0, total_policies = 0 } = row ?? {}
    // A window whose end precedes its start is empty.
    return {
      total_tasks: Math.max(0, total_tasks),
      total_policies: Math.max(0, total_policies),
    }
  }
