import type { Queries } from './database.ts'

/** Tasks in the order of their creation refer to later and later blocks. */
const latestTasks = 1_000

/**
 * The newest block of a chain that the database refers to: as the reference block of a task, or as
 * read by the explorer. Undefined if there is none.
 */
export async function newestBlock(queries: Queries, chainId: number): Promise<number | undefined> {
  const [row] = await queries.query<{ block: number | null }>(
    `select greatest(
       (select max(reference_block) from
         (select chain_id, reference_block from tasks order by created_at desc, id desc limit $2) latest
        where chain_id = $1),
       (select next_block - 1 from explorer_cursors where chain_id = $1)) as block`,
    [chainId, latestTasks],
  )
  return row?.block ?? undefined
}
