import type { Queries } from '../database.ts'

type CursorRow = { readonly nextBlock: number }

export const nextBlock = async (queries: Queries, chainId: number): Promise<number | undefined> => {
  const [row] = await queries.query<CursorRow>(
    'select next_block as "nextBlock" from explorer_cursors where chain_id = $1',
    [chainId],
  )
  return row?.nextBlock
}

/**
 * The first block that has not been read. Until the transaction ends nobody else changes what the
 * explorer shows of the chain, whatever a process believes that was deposed as its indexer.
 */
export const lockCursor = async (tx: Queries, chainId: number): Promise<number | undefined> => {
  const [row] = await tx.query<CursorRow>(
    'select next_block as "nextBlock" from explorer_cursors where chain_id = $1 for update',
    [chainId],
  )
  return row?.nextBlock
}

/** As `lockCursor`; a chain that has none begins at this block. */
export const lockOrBegin = async (
  tx: Queries,
  chainId: number,
  block: number,
  now: Date,
): Promise<number> => {
  const found = await lockCursor(tx, chainId)
  if (found !== undefined) return found
  await tx.query(
    `insert into explorer_cursors (chain_id, next_block, updated_at) values ($1, $2, $3)
     on conflict (chain_id) do nothing`,
    [chainId, block, now],
  )
  // Another may have begun at the same time.
  return (await lockCursor(tx, chainId)) as number
}

export const moveCursor = async (
  tx: Queries,
  chainId: number,
  block: number,
  now: Date,
): Promise<void> => {
  await tx.query(
    'update explorer_cursors set next_block = $2, updated_at = $3 where chain_id = $1',
    [chainId, block, now],
  )
}

export const nextListSeq = async (tx: Queries, chainId: number): Promise<number> => {
  const [row] = await tx.query<{ listSeq: number }>(
    `update explorer_cursors set list_seq = list_seq + 1 where chain_id = $1
     returning list_seq as "listSeq"`,
    [chainId],
  )
  return (row as { listSeq: number }).listSeq
}
