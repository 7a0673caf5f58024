import type { Queries } from '../database.ts'
import { arraysOf, type Column, rowsFromArrays } from './columns.ts'
import { groupBy } from './groupBy.ts'
import {
  enterPolicyLists,
  forgetLateness,
  greatest,
  type Leaving,
  leaveList,
  mainList,
  offChainList,
  type Place,
  policyAddressList,
  policyIdList,
} from './lists.ts'
import { countingEvents, projectTask, type TaskFacts } from './projection.ts'
import { recordsOf } from './records.ts'
import { earlierEvents, type TaskEvent } from './taskEvents.ts'

/** Where rows without a block of their own are listed, and the time of the change. */
export type Refresh = {
  /** Bare hex, each once. */
  readonly ids: readonly string[]
  /** Events from this block on are not in the database; `events` are. */
  readonly before: number
  readonly events: readonly TaskEvent[]
  /** The last block that has been read. */
  readonly head: number
  readonly listSeq: number
  /** Unix milliseconds. */
  readonly now: number
}

type Old = {
  readonly id: string
  readonly n: number
  readonly createdBlock: number | null
  readonly policyId: string | null
  readonly policyIdN: number | null
  readonly policyAddress: string | null
  readonly policyAddressN: number | null
  readonly offN: number | null
}

/**
 * Makes the rows of these tasks anew from their events and records, and gives them their places.
 *
 * @returns how many rows there are new for each created block
 */
export const refreshTasks = async (
  tx: Queries,
  chainId: number,
  refresh: Refresh,
): Promise<Map<number, number>> => {
  const { ids, head, listSeq, now } = refresh
  const createdIn = new Map<number, number>()
  if (ids.length === 0) return createdIn
  const facts = await factsOf(tx, chainId, refresh)
  const olds = new Map((await oldRows(tx, chainId, ids)).map((old) => [old.id, old]))

  const moves = (old: Old) => facts.get(old.id)?.createdBlock !== old.createdBlock
  const leavingPolicy = (key: 'policyId' | 'policyAddress', ordinal: `${typeof key}N`) =>
    [...olds.values()].flatMap((old): Leaving[] =>
      old[key] !== null && (moves(old) || facts.get(old.id)?.[key] !== old[key])
        ? [{ id: old.id, key: old[key], ordinal: old[ordinal] as number }]
        : [],
    )
  const moved = [...olds.values()].filter(moves)
  const leaving = moved.map(({ id, n }) => ({ id, key: '', ordinal: n }))
  const leavingOff = moved.flatMap(({ id, offN }) =>
    offN === null ? [] : [{ id, key: '', ordinal: offN }],
  )
  const leavingIds = leavingPolicy('policyId', 'policyIdN')
  const leavingAddresses = leavingPolicy('policyAddress', 'policyAddressN')
  await remove(
    tx,
    chainId,
    [...olds.keys()].filter((id) => !facts.has(id)),
  )
  await leaveList(tx, chainId, mainList, leaving)
  await leaveList(tx, chainId, offChainList, leavingOff)
  await leaveList(tx, chainId, policyIdList, leavingIds)
  await leaveList(tx, chainId, policyAddressList, leavingAddresses)

  const left = leaving.map(({ ordinal }) => ordinal).sort((a, b) => a - b)
  const top = await greatest(tx, chainId)
  const rows = [...facts.values()].map((fact): NewRow => {
    const old = olds.get(fact.id)
    const stays = old !== undefined && !moves(old)
    return {
      fact,
      isNew: !stays,
      n: stays ? old.n - countBelow(left, old.n) : 0,
      listBlock: fact.createdBlock ?? head,
      listSeq: fact.createdBlock === null ? listSeq : 0,
      finishedAt: fact.finishedAt,
      offN: null,
      listedAt: null,
    }
  })
  // By block, so that what comes in is always on top: nothing that was read before stands above.
  rows.sort(inOrder)
  for (const row of rows.filter(({ isNew }) => isNew)) {
    row.n = ++top.n
    const block = row.fact.createdBlock
    if (block !== null) createdIn.set(block, (createdIn.get(block) ?? 0) + 1)
    else {
      row.offN = ++top.offN
      row.listedAt = top.listedAt = Math.max(top.listedAt, row.finishedAt)
    }
  }
  const entering = (key: 'policyId' | 'policyAddress', leaving: readonly Leaving[]) => {
    const leaves = new Set(leaving.map(({ id }) => id))
    return rows.flatMap(({ fact, n }) =>
      fact[key] !== null && (!olds.get(fact.id)?.[key] || leaves.has(fact.id))
        ? [{ id: fact.id, key: fact[key], n }]
        : [],
    )
  }
  const ofId = entering('policyId', leavingIds)
  const ofAddress = entering('policyAddress', leavingAddresses)
  const idPlaces = await enterPolicyLists(tx, chainId, policyIdList, ofId)
  const addressPlaces = await enterPolicyLists(tx, chainId, policyAddressList, ofAddress)
  await write(tx, chainId, now, rows, idPlaces, addressPlaces)
  await forgetLateness(tx, chainId, policyIdList, leavingIds)
  await forgetLateness(tx, chainId, policyAddressList, leavingAddresses)
  return createdIn
}

type ListedFacts = TaskFacts & { readonly finishedAt: number }

type NewRow = {
  readonly fact: ListedFacts
  readonly isNew: boolean
  readonly listBlock: number
  readonly listSeq: number
  readonly finishedAt: number
  n: number
  offN: number | null
  listedAt: number | null
}

const inOrder = (a: NewRow, b: NewRow): number =>
  a.listBlock - b.listBlock ||
  a.listSeq - b.listSeq ||
  (a.fact.id < b.fact.id ? -1 : a.fact.id > b.fact.id ? 1 : 0)

/** How many of these, in ascending order, are less. */
const countBelow = (sorted: readonly number[], value: number): number => {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}

const factsOf = async (
  tx: Queries,
  chainId: number,
  { ids, before, events }: Refresh,
): Promise<Map<string, ListedFacts>> => {
  const earlier = await earlierEvents(tx, chainId, ids, before)
  const byTask = groupBy([...earlier, ...events], ({ subject }) => subject)
  const records = await recordsOf(tx, chainId, ids)
  const facts = new Map<string, ListedFacts>()
  for (const id of ids) {
    const record = records.get(id)
    const fact = projectTask(id, countingEvents(byTask.get(id) ?? []), record)
    if (fact !== undefined) facts.set(id, { ...fact, finishedAt: record?.finishedAt ?? 0 })
  }
  return facts
}

const oldRows = (tx: Queries, chainId: number, ids: readonly string[]): Promise<Old[]> =>
  tx.query<Old>(
    `select encode(t.id, 'hex') as id, n, created_block as "createdBlock",
       encode(policy_id, 'hex') as "policyId", policy_id_n as "policyIdN",
       encode(policy_address, 'hex') as "policyAddress", policy_address_n as "policyAddressN",
       off_n as "offN"
     from unnest($2::text[]) as asked(id)
     join explorer_tasks t on t.chain_id = $1 and t.id = decode(asked.id, 'hex')`,
    [chainId, ids],
  )

const remove = async (tx: Queries, chainId: number, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  await tx.query(
    `delete from explorer_tasks t using unnest($2::text[]) as gone(id)
     where t.chain_id = $1 and t.id = decode(gone.id, 'hex')`,
    [chainId, ids],
  )
}

const columns: readonly Column[] = [
  ['n', 'int8'],
  ['list_block', 'int8'],
  ['list_seq', 'int8'],
  ['created_block', 'int8'],
  ['created_at', 'int8'],
  ['responded_at', 'int8'],
  ['spent_at', 'int8'],
  ['challenged_at', 'int8'],
  ['policy_id_n', 'int8'],
  ['policy_address_n', 'int8'],
  ['policy_id_late', 'int8'],
  ['policy_address_late', 'int8'],
  ['off_n', 'int8'],
  ['listed_at', 'int8'],
  ['challenge_success', 'boolean'],
  ['id', 'bytea'],
  ['sender', 'bytea'],
  ['client', 'bytea'],
  ['policy_id', 'bytea'],
  ['policy_address', 'bytea'],
  ['evaluation_result', 'bytea'],
  ['certificate', 'json'],
  ['error', 'text'],
  ['operator_errors', 'json'],
]
/** Null in these means that a row keeps its place; others may have moved it meanwhile. */
const keptWhenNull = ['n', 'policy_id_n', 'policy_address_n', 'off_n', 'listed_at']
const keptWith: Readonly<Record<string, string>> = {
  list_block: 'n',
  list_seq: 'n',
  policy_id_late: 'policy_id_n',
  policy_address_late: 'policy_address_n',
}
const assignment = (name: string): string => {
  if (keptWhenNull.includes(name)) return `${name} = coalesce(excluded.${name}, t.${name})`
  const place = keptWith[name]
  return place === undefined
    ? `${name} = excluded.${name}`
    : `${name} = case when excluded.${place} is null then t.${name} else excluded.${name} end`
}
const names = columns.map(([name]) => name)
const upsert = `insert into explorer_tasks as t (chain_id, updated_at, ${names.join(', ')})
  select $1, $2, given.* from (${rowsFromArrays(columns, 3)}) given
  on conflict (chain_id, id) do update set updated_at = excluded.updated_at,
    ${names.filter((name) => name !== 'id').map(assignment)}`

const write = async (
  tx: Queries,
  chainId: number,
  now: number,
  rows: readonly NewRow[],
  idPlaces: ReadonlyMap<string, Place>,
  addressPlaces: ReadonlyMap<string, Place>,
): Promise<void> => {
  if (rows.length === 0) return
  const arrays = arraysOf(rows, columns, ({ fact, isNew, ...row }) => {
    const ofId = idPlaces.get(fact.id)
    const ofAddress = addressPlaces.get(fact.id)
    return [
      isNew ? row.n : null,
      row.listBlock,
      row.listSeq,
      fact.createdBlock,
      fact.createdAt,
      fact.respondedAt,
      fact.spentAt,
      fact.challengedAt,
      ofId?.ordinal ?? null,
      ofAddress?.ordinal ?? null,
      ofId?.late ?? null,
      ofAddress?.late ?? null,
      row.offN,
      row.listedAt,
      fact.challengeSuccess,
      fact.id,
      fact.sender,
      fact.client,
      fact.policyId,
      fact.policyAddress,
      fact.evaluationResult,
      fact.certificate,
      fact.error,
      fact.operatorErrors,
    ]
  })
  await tx.query(upsert, [chainId, now, ...arrays])
}
