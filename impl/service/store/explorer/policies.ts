import type { Clock } from 'polgate-protocol/clock.ts'
import type { ExplorerPage, ExplorerPolicy } from 'polgate-protocol/explorer.ts'
import type { Address } from 'polgate-protocol/scalars.ts'
import { type Database, type Queries, storableText } from '../database.ts'
import type { ChainEvent } from './chainEvent.ts'
import { arraysOf, type Column, rowsFromArrays } from './columns.ts'
import type { ExplorerIndex, PolicyDescription } from './explorerIndex.ts'
import type { Unnamed } from './explorerQueries.ts'
import { bare } from './hex.ts'
import { type PageOptions, rowsToSkip } from './pages.ts'
import { isoOfSeconds } from './times.ts'

type PolicyDeployed = Extract<ChainEvent, { readonly kind: 'policyDeployed' }>

const columns: readonly Column[] = [
  ['n', 'int8'],
  ['deployed_block', 'int8'],
  ['deployed_at', 'int8'],
  ['address', 'bytea'],
  ['transaction_hash', 'bytea'],
  ['info', 'json'],
]
const insert = `insert into explorer_policies (chain_id, due_at, ${columns.map(([name]) => name).join(', ')})
  select $1, $2, given.* from (${rowsFromArrays(columns, 3)}) given`

/** Adds new policies. @returns the number of them for each block */
export async function insertPolicies(
  tx: Queries,
  chainId: number,
  events: readonly PolicyDeployed[],
  timeOf: (block: number) => number,
  now: Date,
): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  if (events.length === 0) return counts
  const byAddress = new Map<string, PolicyDeployed>()
  const inOrder = [...events].sort(
    (a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex,
  )
  for (const event of inOrder)
    if (!byAddress.has(bare(event.policy))) byAddress.set(bare(event.policy), event)
  const known = await tx.query<{ address: string }>(
    `select encode(p.address, 'hex') as address from unnest($2::text[]) as asked(address)
     join explorer_policies p on p.chain_id = $1 and p.address = decode(asked.address, 'hex')`,
    [chainId, [...byAddress.keys()]],
  )
  for (const { address } of known) byAddress.delete(address)
  const added = [...byAddress].sort(
    ([a, one], [b, other]) => one.blockNumber - other.blockNumber || (a < b ? -1 : 1),
  )
  let total = await totalOf(tx, chainId)
  const arrays = arraysOf(added, columns, ([address, event]) => {
    counts.set(event.blockNumber, (counts.get(event.blockNumber) ?? 0) + 1)
    total += 1
    const at = timeOf(event.blockNumber)
    const { transactionHash, info } = event
    return [total, event.blockNumber, at, address, bare(transactionHash), JSON.stringify(info)]
  })
  await tx.query(insert, [chainId, now, ...arrays])
  return counts
}

async function totalOf(queries: Queries, chainId: number): Promise<number> {
  const [row] = await queries.query<{ n: number }>(
    'select n from explorer_policies where chain_id = $1 order by n desc limit 1',
    [chainId],
  )
  return row?.n ?? 0
}

export const policyDescriptions = (
  database: Database,
  clock: Clock,
): Pick<ExplorerIndex, 'undescribedPolicies' | 'describePolicy'> => ({
  undescribedPolicies: (chainId, limit) =>
    database.query<{
      address: Address
      info: Readonly<Record<string, unknown>>
      attempts: number
    }>(
      `select '0x' || encode(address, 'hex') as address, info, attempts from explorer_policies
       where chain_id = $1 and due_at <= $2 order by due_at, n limit $3`,
      [chainId, new Date(clock()), limit],
    ),

  async describePolicy(chainId, address, description) {
    const where = `where chain_id = $1 and address = decode($2, 'hex')`
    const policy = [chainId, bare(address)]
    if ('again' in description)
      await database.query(
        `update explorer_policies set due_at = $3, attempts = attempts + 1 ${where}`,
        [...policy, description.again],
      )
    else
      await database.query(
        `update explorer_policies set name = $3, version = $4, author = $5, description = $6,
           verified = $7, due_at = null ${where}`,
        [...policy, ...describedAs(description)],
      )
  },
})

function describedAs(described: Exclude<PolicyDescription, { readonly again: Date }>) {
  const text = (value: string | null) => (value === null ? null : storableText(value))
  const { name, version, author, description, verified } = described
  return [text(name), text(version), text(author), text(description), verified]
}

type PolicyRow = Omit<Unnamed<ExplorerPolicy>, 'policy_deployed_at'> & {
  readonly deployed_at: number
}

const shown = `'0x' || encode(address, 'hex') as address, name, version, author, description, verified,
  info as policy_info, '0x' || encode(transaction_hash, 'hex') as deployed_txn_hash, deployed_at`

const policyOf = (row: PolicyRow): Unnamed<ExplorerPolicy> => ({
  address: row.address,
  name: row.name,
  version: row.version,
  author: row.author,
  description: row.description,
  verified: row.verified,
  policy_info: row.policy_info,
  deployed_txn_hash: row.deployed_txn_hash,
  policy_deployed_at: isoOfSeconds(row.deployed_at),
})

/** Section 2.10. */
export const policyQueries = (database: Database) => ({
  async policy(chainId: number, address: string): Promise<Unnamed<ExplorerPolicy> | undefined> {
    const [row] = await database.query<PolicyRow>(
      `select ${shown} from explorer_policies
       where chain_id = $1 and address = decode($2, 'hex')`,
      [chainId, bare(address)],
      { planOnce: true },
    )
    return row === undefined ? undefined : policyOf(row)
  },

  async policies(
    chainId: number,
    page: PageOptions,
  ): Promise<ExplorerPage<Unnamed<ExplorerPolicy>>> {
    const rows = await database.query<PolicyRow & { total: number; n: number | null }>(
      `select head.total, p.* from (
         select least(coalesce((select n from explorer_policies
           where chain_id = $1 order by n desc limit 1), 0), $2::int8) as total
       ) head left join lateral (
         select n, ${shown} from explorer_policies
         where chain_id = $1 and n <= head.total - $3 and n > head.total - $3 - $4
         order by n desc limit $4
       ) p on true order by p.n desc`,
      [chainId, page.asOf ?? Number.MAX_SAFE_INTEGER, rowsToSkip(page), page.size],
      { planOnce: true },
    )
    const results = rows.filter(({ n }) => n !== null).map(policyOf)
    return { total: rows[0]?.total ?? 0, page: page.page, size: page.size, results }
  },
})
