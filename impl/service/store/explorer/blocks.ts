import type { Bytes32 } from 'polgate-protocol/scalars.ts'
import type { Queries } from '../database.ts'
import type { IndexedBlock } from './chainEvent.ts'
import { arraysOf, type Column, rowsFromArrays } from './columns.ts'
import { bare } from './hex.ts'

/** This number of latest blocks is stored even without events. */
const retainedBlocks = 256

export const knownBlocks = (
  queries: Queries,
  chainId: number,
  { limit, before }: { readonly limit: number; readonly before?: number | undefined },
): Promise<IndexedBlock[]> =>
  queries.query<{ number: number; hash: Bytes32; timestamp: number }>(
    `select number, '0x' || encode(hash, 'hex') as hash, timestamp from explorer_blocks
     where chain_id = $1 and number < $2 order by number desc limit $3`,
    [chainId, before ?? Number.MAX_SAFE_INTEGER, limit],
  )

/** A block and the number of rows that it adds. */
export type BlockCounts = {
  readonly block: IndexedBlock
  readonly eventful: boolean
  readonly tasks: number
  readonly policies: number
}

const columns: readonly Column[] = [
  ['number', 'int8'],
  ['timestamp', 'int8'],
  ['tasks', 'int8'],
  ['policies', 'int8'],
  ['eventful', 'boolean'],
  ['hash', 'bytea'],
]
const insert = `insert into explorer_blocks (chain_id, ${columns.map(([name]) => name).join(', ')})
  select $1, given.* from (${rowsFromArrays(columns, 2)}) given`

/** Adds blocks, in order, and deletes old ones without events. */
export async function insertBlocks(
  tx: Queries,
  chainId: number,
  blocks: readonly BlockCounts[],
): Promise<void> {
  const [last] = await tx.query<{ tasks: number; policies: number }>(
    `select tasks, policies from explorer_blocks where chain_id = $1 order by number desc limit 1`,
    [chainId],
  )
  let { tasks, policies } = last ?? { tasks: 0, policies: 0 }
  const arrays = arraysOf(blocks, columns, (counts) => {
    const { number, timestamp, hash } = counts.block
    tasks += counts.tasks
    policies += counts.policies
    return [number, timestamp, tasks, policies, counts.eventful, bare(hash)]
  })
  await tx.query(insert, [chainId, ...arrays])
  const newest = blocks.at(-1)?.block.number
  if (newest !== undefined)
    await tx.query(
      'delete from explorer_blocks where chain_id = $1 and not eventful and number <= $2',
      [chainId, newest - retainedBlocks],
    )
}
