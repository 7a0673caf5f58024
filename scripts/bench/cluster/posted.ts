import { setTimeout as pause } from 'node:timers/promises'
import { createPublicClient, http, isAddressEqual, size } from 'viem'
import type { Deployment } from './deployment.ts'

/** Waits until all results are on chain and the explorer has read the latest block. */
export async function settled(deployment: Deployment, signal: AbortSignal): Promise<void> {
  const { database } = deployment.store
  for (const end = performance.now() + 120_000; performance.now() < end; ) {
    const [row] = await database.query<{ open: number; next: number }>(
      `select (select count(*) from tasks where posting = 'queued' or finished_at is null) as open,
         (select next_block from explorer_cursors where chain_id = $1) as next`,
      [deployment.stack.chain.chainId],
    )
    if (row?.open === 0 && row.next > Number(await blockNumber(deployment))) return
    await pause(200, undefined, { signal })
  }
  throw new Error('after two minutes there are results that are not posted or not indexed')
}

export type DatabaseWork = { readonly commits: number; readonly walBytes: number }

/** Committed transactions and bytes of log so far. Statistics of other connections may be late. */
export async function databaseWork({ store }: Deployment): Promise<DatabaseWork> {
  const [row] = await store.database.query<DatabaseWork>(
    `select (select xact_commit from pg_stat_database where datname = current_database()) as commits,
       pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as "walBytes"`,
  )
  return row!
}

export type PostingWork = {
  readonly transactions: number
  readonly gasUsed: number
  /** Of their limits, which is what a block must have left for them. */
  readonly gasLimit: number
  readonly calldataBytes: number
}

const clientOf = ({ chain }: Deployment) => createPublicClient({ transport: http(chain.url) })

export const blockNumber = (deployment: Deployment): Promise<bigint> =>
  clientOf(deployment).getBlockNumber({ cacheTime: 0 })

/** What was posted to the task manager in blocks after `from`. */
export async function postingWork(deployment: Deployment, from: bigint): Promise<PostingWork> {
  const client = clientOf(deployment)
  const last = await blockNumber(deployment)
  let work = { transactions: 0, gasUsed: 0, gasLimit: 0, calldataBytes: 0 }
  for (let at = from + 1n; at <= last; at++) {
    const block = await client.getBlock({ blockNumber: at, includeTransactions: true })
    for (const { hash, to, gas, input } of block.transactions) {
      if (to === null || !isAddressEqual(to, deployment.chain.taskManager)) continue
      const { gasUsed } = await client.getTransactionReceipt({ hash })
      work = {
        transactions: work.transactions + 1,
        gasUsed: work.gasUsed + Number(gasUsed),
        gasLimit: work.gasLimit + Number(gas),
        calldataBytes: work.calldataBytes + size(input),
      }
    }
  }
  return work
}
