import type { Queries } from '../database.ts'
import { arraysOf, type Column, rowsFromArrays } from './columns.ts'
import { groupBy } from './groupBy.ts'
import {
  clearLateFlags,
  type Entering,
  enterList,
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

/** The tasks to refresh, the list position of rows without a block, and the time of the change. */
export type Refresh = {
  /** Bare hex, without duplicates. */
  readonly ids: readonly string[]
  /** Events from this block on are not in the database yet, but in `events`. */
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
  readonly listBlock: number
  readonly listSeq: number
  readonly createdBlock: number | null
  readonly postedBlock: number | null
  readonly policyId: string | null
  readonly policyIdN: number | null
  readonly policyAddress: string | null
  readonly policyAddressN: number | null
  readonly offN: number | null
}

/**
 * Recomputes the rows of these tasks from their events and records, and their list positions.
 *
 * @returns the number of new rows that were created on chain, for each block
 */
export async function refreshTasks(
  tx: Queries,
  chainId: number,
  refresh: Refresh,
): Promise<Map<number, number>> {
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
  const isOffChain = (fact: TaskFacts | undefined) => fact?.postedBlock === null
  const leaving = [...olds.values()].filter(moves).map(({ id, n }) => ({ id, key: '', ordinal: n }))
  const leavingOff = [...olds.values()].flatMap(({ id, offN }): Leaving[] =>
    offN === null || isOffChain(facts.get(id)) ? [] : [{ id, key: '', ordinal: offN }],
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

  const rows = [...facts.values()].map((fact): NewRow => {
    const old = olds.get(fact.id)
    if (old !== undefined && !moves(old))
      return { fact, isNew: false, listBlock: old.listBlock, listSeq: old.listSeq }
    const { createdBlock } = fact
    return createdBlock === null
      ? { fact, isNew: true, listBlock: head, listSeq }
      : { fact, isNew: true, listBlock: createdBlock, listSeq: 0 }
  })
  for (const { fact } of rows) {
    const { postedBlock: block } = fact
    if (block !== null && olds.get(fact.id)?.postedBlock !== block)
      createdIn.set(block, (createdIn.get(block) ?? 0) + 1)
  }
  const entering = (row: NewRow, key: string): Entering => {
    const { id } = row.fact
    return { id, key, at: [row.listBlock, row.listSeq, id] }
  }
  const enteringPolicy = (key: 'policyId' | 'policyAddress', left: readonly Leaving[]) => {
    const leaves = new Set(left.map(({ id }) => id))
    return rows.flatMap((row): Entering[] => {
      const value = row.fact[key]
      const comes = !olds.get(row.fact.id)?.[key] || leaves.has(row.fact.id)
      return value !== null && comes ? [entering(row, value)] : []
    })
  }
  const enteringOff = rows.flatMap(({ fact }): Entering[] => {
    const stays = olds.get(fact.id)?.offN ?? null
    return isOffChain(fact) && stays === null
      ? [{ id: fact.id, key: '', at: [fact.admittedAt as number, fact.id] }]
      : []
  })
  const newRows = rows.filter(({ isNew }) => isNew).map((row) => entering(row, ''))
  const places: Places = {
    main: await enterList(tx, chainId, mainList, newRows),
    off: await enterList(tx, chainId, offChainList, enteringOff),
    policyId: await enterList(tx, chainId, policyIdList, enteringPolicy('policyId', leavingIds)),
    policyAddress: await enterList(
      tx,
      chainId,
      policyAddressList,
      enteringPolicy('policyAddress', leavingAddresses),
    ),
  }
  await write(tx, chainId, now, rows, places)
  await clearLateFlags(tx, chainId, mainList, leaving)
  await clearLateFlags(tx, chainId, policyIdList, leavingIds)
  await clearLateFlags(tx, chainId, policyAddressList, leavingAddresses)
  return createdIn
}

type NewRow = {
  readonly fact: TaskFacts
  /** The row enters the chain's list. */
  readonly isNew: boolean
  readonly listBlock: number
  readonly listSeq: number
}

type Places = Readonly<
  Record<'main' | 'off' | 'policyId' | 'policyAddress', ReadonlyMap<string, Place>>
>

async function factsOf(
  tx: Queries,
  chainId: number,
  { ids, before, events }: Refresh,
): Promise<Map<string, TaskFacts>> {
  const earlier = await earlierEvents(tx, chainId, ids, before)
  const byTask = groupBy([...earlier, ...events], ({ subject }) => subject)
  const records = await recordsOf(tx, chainId, ids)
  const facts = new Map<string, TaskFacts>()
  for (const id of ids) {
    const fact = projectTask(id, countingEvents(byTask.get(id) ?? []), records.get(id))
    if (fact !== undefined) facts.set(id, fact)
  }
  return facts
}

const oldRows = (tx: Queries, chainId: number, ids: readonly string[]): Promise<Old[]> =>
  tx.query<Old>(
    `select encode(t.id, 'hex') as id, n, list_block as "listBlock", list_seq as "listSeq",
       created_block as "createdBlock", posted_block as "postedBlock",
       encode(policy_id, 'hex') as "policyId", policy_id_n as "policyIdN",
       encode(policy_address, 'hex') as "policyAddress", policy_address_n as "policyAddressN",
       off_n as "offN"
     from unnest($2::text[]) as asked(id)
     join explorer_tasks t on t.chain_id = $1 and t.id = decode(asked.id, 'hex')`,
    [chainId, ids],
  )

async function remove(tx: Queries, chainId: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.query(
    `delete from explorer_tasks t using unnest($2::text[]) as gone(id)
     where t.chain_id = $1 and t.id = decode(gone.id, 'hex')`,
    [chainId, ids],
  )
}

const columns: readonly Column[] = [
  ['n', 'int8'],
  ['n_late', 'int8'],
  ['list_block', 'int8'],
  ['list_seq', 'int8'],
  ['created_block', 'int8'],
  ['posted_block', 'int8'],
  ['created_at', 'int8'],
  ['responded_at', 'int8'],
  ['spent_at', 'int8'],
  ['challenged_at', 'int8'],
  ['policy_id_n', 'int8'],
  ['policy_address_n', 'int8'],
  ['policy_id_late', 'int8'],
  ['policy_address_late', 'int8'],
  ['off_n', 'int8'],
  ['admitted_at', 'int8'],
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
/**
 * Null in these columns keeps the row's position, which another row may have moved in the meantime.
 */
const keptWhenNull = ['n', 'policy_id_n', 'policy_address_n']
const keptWith: Readonly<Record<string, string>> = {
  n_late: 'n',
  list_block: 'n',
  list_seq: 'n',
  policy_id_late: 'policy_id_n',
  policy_address_late: 'policy_address_n',
}
function assignment(name: string): string {
  if (keptWhenNull.includes(name)) return `${name} = coalesce(excluded.${name}, t.${name})`
  // A row with a creation block is not in the off-chain list.
  if (name === 'off_n')
    return 'off_n = case when excluded.posted_block is null then coalesce(excluded.off_n, t.off_n) end'
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

async function write(
  tx: Queries,
  chainId: number,
  now: number,
  rows: readonly NewRow[],
  places: Places,
): Promise<void> {
  if (rows.length === 0) return
  const arrays = arraysOf(rows, columns, ({ fact, listBlock, listSeq }) => {
    const [main, off] = [places.main.get(fact.id), places.off.get(fact.id)]
    const ofId = places.policyId.get(fact.id)
    const ofAddress = places.policyAddress.get(fact.id)
    return [
      main?.ordinal ?? null,
      main?.late ?? null,
      listBlock,
      listSeq,
      fact.createdBlock,
      fact.postedBlock,
      fact.createdAt,
      fact.respondedAt,
      fact.spentAt,
      fact.challengedAt,
      ofId?.ordinal ?? null,
      ofAddress?.ordinal ?? null,
      ofId?.late ?? null,
      ofAddress?.late ?? null,
      off?.ordinal ?? null,
      fact.admittedAt,
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
