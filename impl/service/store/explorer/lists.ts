import type { Queries } from '../database.ts'
import { groupBy } from './groupBy.ts'

/** The ascending order of a list. */
type Order = readonly (readonly [column: string, type: 'int8' | 'bytea'])[]

/**
 * A list of tasks with dense ordinals: of a chain, of a policy, or of tasks that never reached the
 * chain.
 */
export type TaskList = {
  readonly ordinal: string
  readonly order: Order
  /** Column that splits the list: one list for each value. */
  readonly key?: string
  /**
   * Column of a late row, one that was inserted below others: the total from which on it exists.
   */
  readonly late?: string
  /** Column that is also cleared when a row leaves the list. */
  readonly besides?: string
}

/** Decision X1: by the block that the task names; if it has none, by the pass that listed it. */
const byBlock: Order = [
  ['list_block', 'int8'],
  ['list_seq', 'int8'],
  ['id', 'bytea'],
]
export const mainList = {
  ordinal: 'n',
  order: byBlock,
  late: 'n_late',
  besides: 'n_late',
} as const satisfies TaskList
export const offChainList = {
  ordinal: 'off_n',
  order: [
    ['admitted_at', 'int8'],
    ['id', 'bytea'],
  ],
} as const satisfies TaskList
export const policyIdList = {
  ordinal: 'policy_id_n',
  order: byBlock,
  key: 'policy_id',
  late: 'policy_id_late',
  besides: 'policy_id_late',
} as const satisfies TaskList
export const policyAddressList = {
  ordinal: 'policy_address_n',
  order: byBlock,
  key: 'policy_address',
  late: 'policy_address_late',
  besides: 'policy_address_late',
} as const satisfies TaskList
/** A list whose earlier states can be paged. */
export type PagedList = TaskList & { readonly late: string }

/** A row that leaves a list; `key` is bare hex, empty for a list without key. */
export type Leaving = { readonly id: string; readonly key: string; readonly ordinal: number }

/** Removes rows from a list and renumbers the rest. The rows may already be deleted. */
export async function leaveList(
  tx: Queries,
  chainId: number,
  { ordinal, key, besides }: TaskList,
  leaving: readonly Leaving[],
): Promise<void> {
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

/**
 * After rows have left, clears `late` values above the new total: these rows count at every total.
 */
export async function clearLateFlags(
  tx: Queries,
  chainId: number,
  { ordinal, key, late }: PagedList,
  leaving: readonly Leaving[],
): Promise<void> {
  if (leaving.length === 0) return
  const ofKey = (alias: string) =>
    key === undefined ? '' : `and ${alias}.${key} = decode(list.key, 'hex')`
  await tx.query(
    `update explorer_tasks t set ${late} = null
     from unnest($2::text[]) as list(key), lateral (
       select coalesce((
         select ${ordinal} from explorer_tasks o
         where o.chain_id = $1 ${ofKey('o')} and ${ordinal} is not null
         order by ${ordinal} desc limit 1), 0) as total
     ) top
     where t.chain_id = $1 ${ofKey('t')} and t.${late} > top.total`,
    [chainId, [...new Set(leaving.map((row) => row.key))]],
  )
}

/** A row that enters a list; `at` are its values of the order columns, bytes as bare hex. */
export type Entering = {
  readonly id: string
  /** Empty for a list without key. */
  readonly key: string
  readonly at: readonly (number | string)[]
}

export type Place = {
  readonly ordinal: number
  /** The total from which on the row exists, if it is inserted below others. */
  readonly late: number | null
}

type Top = {
  readonly key: string
  readonly ordinal: number
  readonly at: readonly (number | string)[]
}

/** Finds the positions of rows in their lists, and renumbers the rows above them. */
export async function enterList(
  tx: Queries,
  chainId: number,
  list: TaskList,
  entering: readonly Entering[],
): Promise<Map<string, Place>> {
  const places = new Map<string, Place>()
  const byKey = groupBy(entering, ({ key }) => key)
  if (byKey.size === 0) return places
  const topOf = new Map((await tops(tx, chainId, list, [...byKey.keys()])).map((t) => [t.key, t]))
  const between: Entering[] = []
  for (const [key, rows] of byKey) {
    rows.sort((a, b) => compare(a.at, b.at))
    const top = topOf.get(key)
    for (const [i, row] of rows.entries())
      if (top !== undefined && compare(row.at, top.at) < 0) between.push(row)
      else places.set(row.id, { ordinal: (top?.ordinal ?? 0) + i + 1, late: null })
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
  const ofKey = list.key === undefined ? '' : `and t.${list.key} = decode(given.key, 'hex')`
  await tx.query(
    `update explorer_tasks t set ${list.ordinal} = ${list.ordinal} + moved.by from (
       select t.id, count(*) as by from unnest($2::text[], $3::int8[]) as given(key, below)
       join explorer_tasks t on t.chain_id = $1 ${ofKey} and t.${list.ordinal} > given.below
       group by t.id
     ) moved where t.chain_id = $1 and t.id = moved.id`,
    [chainId, between.map(({ key }) => key), below],
  )
  return places
}

function compare(a: Entering['at'], b: Entering['at']): number {
  for (const [i, value] of a.entries()) {
    const other = b[i] as typeof value
    if (value !== other) return value < other ? -1 : 1
  }
  return 0
}

const shownAs = ([column, type]: Order[number]) =>
  type === 'bytea' ? `encode(${column}, 'hex') as ${column}` : column

/** The newest row of each list. */
async function tops(
  tx: Queries,
  chainId: number,
  { ordinal, order, key }: TaskList,
  keys: readonly string[],
): Promise<Top[]> {
  const ofKey = key === undefined ? '' : `and ${key} = decode(asked.key, 'hex')`
  const rows = await tx.query<Record<string, number | string>>(
    `select asked.key as "listKey", top.* from unnest($2::text[]) as asked(key), lateral (
       select ${ordinal} as "ordinalOfTop", ${order.map(shownAs).join(', ')} from explorer_tasks
       where chain_id = $1 ${ofKey} and ${ordinal} is not null
       order by ${ordinal} desc limit 1
     ) top`,
    [chainId, keys],
  )
  return rows.map((row) => ({
    key: row.listKey as string,
    ordinal: row.ordinalOfTop as number,
    at: order.map(([column]) => row[column] as number | string),
  }))
}

/**
 * The number of rows of the list below each row. Few are above, so the search starts at the top.
 */
async function ordinalsBelow(
  tx: Queries,
  chainId: number,
  { ordinal, order, key }: TaskList,
  rows: readonly Entering[],
): Promise<number[]> {
  const ofKey = key === undefined ? '' : `and t.${key} = decode(asked.key, 'hex')`
  const arrays = order.map(([, type], i) => `$${i + 3}::${type === 'bytea' ? 'text' : type}[]`)
  const asked = order.map(([column, type]) =>
    type === 'bytea' ? `decode(asked.${column}, 'hex')` : `asked.${column}`,
  )
  const names = order.map(([column]) => column)
  const found = await tx.query<{ below: number }>(
    `select coalesce((
       select ${ordinal} from explorer_tasks t
       where t.chain_id = $1 ${ofKey} and t.${ordinal} is not null
         and (${names.map((name) => `t.${name}`).join(', ')}) < (${asked.join(', ')})
       order by t.${ordinal} desc limit 1), 0) as below
     from unnest($2::text[], ${arrays.join(', ')}) with ordinality
       as asked(key, ${names.join(', ')}, i) order by asked.i`,
    [chainId, rows.map((row) => row.key), ...order.map((_, i) => rows.map(({ at }) => at[i]))],
  )
  return found.map(({ below }) => below)
}
