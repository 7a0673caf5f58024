import type { Queries } from '../database.ts'
import { groupBy } from './groupBy.ts'

/** A list of tasks by dense ordinals: of a chain, of a policy, or of what never reached the chain. */
export type TaskList = {
  readonly ordinal: string
  /** One list for each value. */
  readonly key?: string
  /** What a row that leaves has no more, besides its ordinal. */
  readonly besides?: string
}

export const mainList: TaskList = { ordinal: 'n' }
export const offChainList: TaskList = { ordinal: 'off_n', besides: 'listed_at' }
export const policyIdList = {
  ordinal: 'policy_id_n',
  key: 'policy_id',
  late: 'policy_id_late',
  besides: 'policy_id_late',
} as const
export const policyAddressList = {
  ordinal: 'policy_address_n',
  key: 'policy_address',
  late: 'policy_address_late',
  besides: 'policy_address_late',
} as const
export type PolicyList = typeof policyIdList | typeof policyAddressList

/** A row that leaves a list; `key` is bare hex, empty where the list has none. */
export type Leaving = { readonly id: string; readonly key: string; readonly ordinal: number }

/** Takes rows off a list and lets the rest move up. Rows that are gone may be among them. */
export const leaveList = async (
  tx: Queries,
  chainId: number,
  { ordinal, key, besides }: TaskList,
  leaving: readonly Leaving[],
): Promise<void> => {
  if (leaving.length === 0) return
  const more = besides === undefined ? '' : `, ${besides} = null`
  await tx.query(
    `update explorer_tasks t set ${ordinal} = null${more}
     from unnest($2::text[]) as leaving(id)
     where t.chain_id = $1 and t.id = decode(leaving.id, 'hex')`,
    [chainId, leaving.map(({ id }) => id)],
  )
  const lowest = new Map<string, number>()
  for (const row of leaving)
    lowest.set(row.key, Math.min(row.ordinal, lowest.get(row.key) ?? row.ordinal))
  const ofKey = key === undefined ? '' : `and t.${key} = decode(low.key, 'hex')`
  await tx.query(
    `update explorer_tasks t set ${ordinal} = moved.ordinal from (
       select t.id, low.ordinal - 1 + row_number() over (partition by low.key order by t.${ordinal})
         as ordinal
       from unnest($2::text[], $3::int8[]) as low(key, ordinal)
       join explorer_tasks t on t.chain_id = $1 ${ofKey} and t.${ordinal} > low.ordinal
     ) moved where t.chain_id = $1 and t.id = moved.id`,
    [chainId, [...lowest.keys()], [...lowest.values()]],
  )
}

/** After rows have left: what is still on the list was there all along, as a later total tells it. */
export const forgetLateness = async (
  tx: Queries,
  chainId: number,
  { ordinal, key, late }: PolicyList,
  leaving: readonly Leaving[],
): Promise<void> => {
  if (leaving.length === 0) return
  await tx.query(
    `update explorer_tasks t set ${late} = null
     from unnest($2::text[]) as list(key), lateral (
       select coalesce((
         select ${ordinal} from explorer_tasks
         where chain_id = $1 and ${key} = decode(list.key, 'hex') and ${ordinal} is not null
         order by ${ordinal} desc limit 1), 0) as total
     ) top
     where t.chain_id = $1 and t.${key} = decode(list.key, 'hex') and t.${late} > top.total`,
    [chainId, [...new Set(leaving.map(({ key }) => key))]],
  )
}

/** A row that comes to a policy's list; lists of policies have the order of the main one. */
export type Entering = { readonly id: string; readonly key: string; readonly n: number }

export type Place = {
  readonly ordinal: number
  /** The total from which on it is there, where others of the list stand above it. */
  readonly late: number | null
}

/**
 * Finds the places of rows in lists of policies, and moves up what stands above them. Nearly always
 * they come on top; one that was created before others and answered after them comes in between.
 */
export const enterPolicyLists = async (
  tx: Queries,
  chainId: number,
  list: PolicyList,
  entering: readonly Entering[],
): Promise<Map<string, Place>> => {
  const places = new Map<string, Place>()
  const byKey = groupBy(entering, ({ key }) => key)
  if (byKey.size === 0) return places
  const tops = await tx.query<{ key: string; ordinal: number; n: number }>(
    `select asked.key, top.ordinal, top.n from unnest($2::text[]) as asked(key), lateral (
       select ${list.ordinal} as ordinal, n from explorer_tasks
       where chain_id = $1 and ${list.key} = decode(asked.key, 'hex') and ${list.ordinal} is not null
       order by ${list.ordinal} desc limit 1
     ) top`,
    [chainId, [...byKey.keys()]],
  )
  const topOf = new Map(tops.map((top) => [top.key, top]))
  const between: Entering[] = []
  for (const [key, rows] of byKey) {
    rows.sort((a, b) => a.n - b.n)
    const { ordinal: total, n } = topOf.get(key) ?? { ordinal: 0, n: 0 }
    for (const [i, row] of rows.entries())
      if (row.n < n) between.push(row)
      else places.set(row.id, { ordinal: total + i + 1, late: null })
  }
  if (between.length === 0) return places
  const below = await ordinalsBelow(tx, chainId, list, between)
  const seen = new Map<string, number>()
  for (const [i, { id, key }] of between.entries()) {
    const before = seen.get(key) ?? 0
    seen.set(key, before + 1)
    const late = (topOf.get(key)?.ordinal ?? 0) + 1
    places.set(id, { ordinal: (below[i] as number) + before + 1, late })
  }
  await tx.query(
    `update explorer_tasks t set ${list.ordinal} = ${list.ordinal} + moved.by from (
       select t.id, count(*) as by from unnest($2::text[], $3::int8[]) as given(key, below)
       join explorer_tasks t on t.chain_id = $1 and t.${list.key} = decode(given.key, 'hex')
         and t.${list.ordinal} > given.below
       group by t.id
     ) moved where t.chain_id = $1 and t.id = moved.id`,
    [chainId, between.map(({ key }) => key), below],
  )
  return places
}

/** How many rows of its list stand below each; few stand above, so it is looked for from the top. */
const ordinalsBelow = async (
  tx: Queries,
  chainId: number,
  list: PolicyList,
  rows: readonly Entering[],
): Promise<number[]> => {
  const found = await tx.query<{ below: number }>(
    `select coalesce((
       select ${list.ordinal} from explorer_tasks t
       where t.chain_id = $1 and t.${list.key} = decode(asked.key, 'hex')
         and t.${list.ordinal} is not null and t.n < asked.n
       order by t.${list.ordinal} desc limit 1), 0) as below
     from unnest($2::text[], $3::int8[]) with ordinality as asked(key, n, i) order by asked.i`,
    [chainId, rows.map(({ key }) => key), rows.map(({ n }) => n)],
  )
  return found.map(({ below }) => below)
}

/** The greatest ordinals of a chain, and when the last row of those off the chain was listed. */
export const greatest = async (
  tx: Queries,
  chainId: number,
): Promise<{ n: number; offN: number; listedAt: number }> => {
  const [row] = await tx.query<{ n: number | null; offN: number | null; listedAt: number | null }>(
    `select main.n, off.off_n as "offN", off.listed_at as "listedAt" from (select 1) one
     left join lateral (select n from explorer_tasks
       where chain_id = $1 and n is not null order by n desc limit 1) main on true
     left join lateral (select off_n, listed_at from explorer_tasks
       where chain_id = $1 and created_block is null and off_n is not null
       order by off_n desc limit 1) off on true`,
    [chainId],
  )
  return { n: row?.n ?? 0, offN: row?.offN ?? 0, listedAt: row?.listedAt ?? 0 }
}
