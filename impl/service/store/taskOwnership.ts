import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { Database } from './database.ts'
import { type TaskPolicy, type TaskRecord, taskColumns } from './tasks.ts'

/** Longer than the lease of a gateway: one that ends later was taken before the clock went back. */
const longestLease = "interval '1 minute'"

/** The name of the lease that a running gateway holds. */
export const gatewayLease = (worker: string): string => `gateway/${worker}`

/** An orphaned task with its checkpoint. */
export type OrphanedTask = TaskRecord & { readonly checkpoint: unknown }

export type TakeOverOptions = {
  /** The gateway that takes over. */
  readonly worker: string
  readonly chainId: number
  /** Whether no other gateway can exist; then every task of another gateway is orphaned. */
  readonly alone: boolean
  /**
   * Tasks whose worker no lease identifies (of this gateway, or of an earlier release) are taken
   * only when their deadline is before this time. A lease holder ends its tasks in time by its own
   * clock.
   */
  readonly late: Date
  readonly limit: number
  /** Keys whose tasks are not taken, and tasks that this gateway is already executing. */
  readonly besidesKeys: readonly string[]
  readonly excluding: readonly Bytes32[]
}

/** Ownership of tasks, where several gateways share one database. */
export const ownershipQueries = (database: Database) => ({
  /**
   * Takes over orphaned tasks, oldest first. When several gateways do so at the same time, each
   * task goes to one of them.
   */
  takeOver: (options: TakeOverOptions): Promise<OrphanedTask[]> =>
    database.query<OrphanedTask>(
      `with left_behind as materialized (
         select id from tasks t
         where finished_at is null and (chain_id = $2 or chain_id is null)
           and api_key_id <> all($3::text[]) and id <> all($7::text[])
           and (coalesce(carrier, $1) = $1 and deadline < $4
             or carrier is distinct from $1 and ($5::bool
               or carrier is not null and not exists (select from leases l
                 where l.name = 'gateway/' || t.carrier and l.until > clock_timestamp()
                   and l.until < clock_timestamp() + ${longestLease})))
         order by created_at, id limit $6 for update of t skip locked
       )
       update tasks set carrier = $1, chain_id = $2
       where id in (select id from left_behind) returning ${taskColumns}, checkpoint`,
      [
        options.worker,
        options.chainId,
        [...options.besidesKeys],
        options.late,
        options.alone,
        options.limit,
        [...options.excluding],
      ],
    ),

  /** Releases tasks, so that another gateway can take them over immediately. */
  async release(ids: readonly Bytes32[], worker: string): Promise<void> {
    await database.query(
      `update tasks set carrier = '' where id = any($1) and carrier = $2 and finished_at is null`,
      [[...ids], worker],
    )
  },

  /** Those of these tasks that this gateway no longer owns. */
  async lost(ids: readonly Bytes32[], worker: string): Promise<Bytes32[]> {
    const rows = await database.query<{ id: Bytes32 }>(
      'select id from tasks where id = any($1) and carrier is distinct from $2',
      [[...ids], worker],
    )
    return rows.map(({ id }) => id)
  },

  /**
   * Stores the checkpoint, from which any later worker must continue. False when another gateway
   * owns the task, when it has ended, or when it already has a checkpoint. In the embedded database, of which no other
   * gateway is a worker, a power cut may undo it with the rest of a task that has not ended: operators that have
   * signed sign no other response, as long as they run.
   */
  async settle(
    id: Bytes32,
    worker: string,
    checkpoint: unknown,
    policy?: TaskPolicy,
  ): Promise<boolean> {
    const rows = await database.query(
      `update tasks set checkpoint = $3, policy_id = $4, policy_address = $5
       where id = $1 and carrier = $2 and finished_at is null and checkpoint is null returning id`,
      [
        id.toLowerCase(),
        worker,
        JSON.stringify(checkpoint),
        policy?.id ?? null,
        policy?.address ?? null,
      ],
      { planOnce: true, unacknowledged: true },
    )
    return rows.length === 1
  },

  /**
   * Sets the chain of tasks that an earlier release stored; such a release served one chain only.
   */
  async fillChain(chainId: number, limit = 5_000): Promise<void> {
    let filled = limit
    while (filled === limit) {
      const rows = await database.query(
        `update tasks set chain_id = $1
         where id in (select id from tasks where chain_id is null order by id limit $2) returning 1`,
        [chainId, limit],
      )
      filled = rows.length
    }
  },
})

export type OwnershipQueries = ReturnType<typeof ownershipQueries>
