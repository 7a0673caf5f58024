import type { Clock } from 'polgate-protocol/clock.ts'
import type { Database } from './database.ts'

/** Somebody whose results used the gas of transactions for nothing (decision T10). */
export type GasBurner = {
  /** `PolicyData 0x...`, several separated by commas, or `API key ...`. */
  readonly subject: string
  /** How many transactions, since it was last forgotten. */
  readonly transactions: number
  readonly burntAt: Date
}

/** How long after its last transaction a subject is remembered, milliseconds. */
const rememberedMs = 24 * 3_600_000

/** The memory of gas burners, by chain. */
export function gasBurnerQueries(database: Database, clock: Clock) {
  const since = () => new Date(clock() - rememberedMs)
  return {
    /** Those of some subjects that are remembered. */
    find: (chainId: number, subjects: readonly string[]): Promise<GasBurner[]> =>
      database.query<GasBurner>(
        `select subject, transactions, burnt_at as "burntAt" from gas_burners
         where chain_id = $1 and subject = any($2) and burnt_at > $3`,
        [chainId, [...subjects], since()],
      ),

    /** The latest. */
    latest: (chainId: number, limit: number): Promise<GasBurner[]> =>
      database.query<GasBurner>(
        `select subject, transactions, burnt_at as "burntAt" from gas_burners
         where chain_id = $1 and burnt_at > $2 order by burnt_at desc limit $3`,
        [chainId, since(), limit],
      ),

    /** Counts one more transaction of some subjects, and forgets old ones of any. */
    async burnt(chainId: number, subjects: readonly string[]): Promise<void> {
      await database.query('delete from gas_burners where chain_id = $1 and burnt_at <= $2', [
        chainId,
        since(),
      ])
      await database.query(
        `insert into gas_burners select $1, subject, 1, $3 from unnest($2::text[]) as subject
         on conflict (chain_id, subject) do update
         set transactions = gas_burners.transactions + 1, burnt_at = excluded.burnt_at`,
        [chainId, [...subjects], new Date(clock())],
      )
    },
  }
}

export type GasBurnerQueries = ReturnType<typeof gasBurnerQueries>
