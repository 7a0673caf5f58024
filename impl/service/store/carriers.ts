import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { Database } from './database.ts'
import { type TaskPolicy, type TaskRecord, taskColumns } from './tasks.ts'

/** The lease that a gateway holds while it lives. */
export const gatewayLease = (carrier: string): string => `gateway/${carrier}`

/** A task that nobody carries, with what was settled of it. */
export type LeftTask = TaskRecord & { readonly checkpoint: unknown }

export type TakeOverOptions = {
  /** Who takes them. */
  readonly carrier: string
  readonly chainId: number
  /** Whether there can be no other gateway: then all that is not its own is left behind. */
  readonly alone: boolean
  /**
   * What should have ended before this is taken where no lease says who is at work on it: of an
   * earlier release, and its own. Whoever holds a lease ends its tasks in time by its own clock.
   */
  readonly late: Date
  readonly limit: number
  /** Keys whose tasks are to be left where they are, and tasks: those it has in hand. */
  readonly besidesKeys: readonly string[]
  readonly besides: readonly Bytes32[]
}

/** Which gateway carries a task, while several share one database. */
export const carrierQueries = (database: Database) => ({
  /**
   * Takes tasks that have not ended and that nobody carries, oldest first. However many gateways do
   * so at the same time, each task goes to one.
   */
  takeOver: (options: TakeOverOptions): Promise<LeftTask[]> =>
    database.query<LeftTask>(
      `with left_behind as materialized (
         select id from tasks t
         where finished_at is null and (chain_id = $2 or chain_id is null)
           and api_key_id <> all($3::text[]) and id <> all($7::text[])
           and (coalesce(carrier, $1) = $1 and deadline < $4
             or carrier is distinct from $1 and ($5::bool
               or carrier is not null and not exists (select from leases l
                 where l.name = 'gateway/' || t.carrier and l.until > clock_timestamp())))
         order by created_at, id limit $6 for update of t skip locked
       )
       update tasks set carrier = $1, chain_id = $2
       where id in (select id from left_behind) returning ${taskColumns}, checkpoint`,
      [
        options.carrier,
        options.chainId,
        [...options.besidesKeys],
        options.late,
        options.alone,
        options.limit,
        [...options.besides],
      ],
    ),

  /** Gives tasks up, so that another gateway carries them on at once. */
  async release(ids: readonly Bytes32[], carrier: string): Promise<void> {
    await database.query(
      `update tasks set carrier = '' where id = any($1) and carrier = $2 and finished_at is null`,
      [[...ids], carrier],
    )
  },

  /** Those of these tasks that are not this gateway's any more. */
  async lost(ids: readonly Bytes32[], carrier: string): Promise<Bytes32[]> {
    const rows = await database.query<{ id: Bytes32 }>(
      'select id from tasks where id = any($1) and carrier is distinct from $2',
      [[...ids], carrier],
    )
    return rows.map(({ id }) => id)
  },

  /**
   * Settles what whoever carries the task must go on with. False when it is not this gateway's to
   * settle: another carries it, it has ended, or it is settled.
   */
  async settle(
    id: Bytes32,
    carrier: string,
    checkpoint: unknown,
    policy?: TaskPolicy,
  ): Promise<boolean> {
    const rows = await database.query(
      `update tasks set checkpoint = $3, policy_id = $4, policy_address = $5
       where id = $1 and carrier = $2 and finished_at is null and checkpoint is null returning id`,
      [
        id.toLowerCase(),
        carrier,
        JSON.stringify(checkpoint),
        policy?.id ?? null,
        policy?.address ?? null,
      ],
    )
    return rows.length === 1
  },

  /** Says of rows of an earlier release, which knew one chain only, which one that is. */
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

export type CarrierQueries = ReturnType<typeof carrierQueries>
