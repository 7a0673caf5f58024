import type { Queries } from '../database.ts'

type CursorRow = { readonly nextBlock: number }

export async function nextBlock(queries: Queries, chainId: number): Promise<number | undefined> {
  const [row] = await queries.query<CursorRow>(
    'select next_block as "nextBlock" from explorer_cursors where chain_id = $1',
    [chainId],
  )
  return row?.nextBlock
}

/**
 * The first block that has not been read, locked: until the transaction ends no other process
 * changes the chain's explorer data, not even one that wrongly believes it still has the indexer's
 * lease.
 */
export async function lockCursor(tx: Queries, chainId: number): Promise<number | undefined> {
  const [row] = await tx.query<CursorRow>(
    'select next_block as "nextBlock" from explorer_cursors where chain_id = $1 for update',
    [chainId],
    { planOnce: true },
  )
  return row?.nextBlock
}

/** Like `lockCursor`; a chain without a cursor begins at this block. */
export async function lockOrBegin(
  tx: Queries,
  chainId: number,
  block: number,
  now: Date,
): Promise<number> {
  const found = await lockCursor(tx, chainId)
  if (found !== undefined) return found
  await tx.query(
    `insert into explorer_cursors (chain_id, next_block, updated_at) values ($1, $2, $3)
     on conflict (chain_id) do nothing`,
    [chainId, block, now],
  )
  // Another process may have begun at the same time.
  return (await lockCursor(tx, chainId)) as number
}

export async function moveCursor(
  tx: Queries,
  chainId: number,
  block: number,
  now: Date,
): Promise<void> {
  await tx.query(
    'update explorer_cursors set next_block = $2, updated_at = $3 where chain_id = $1',
    [chainId, block, now],
  )
}

export async function nextListSeq(tx: Queries, chainId: number): Promise<number> {
  const [row] = await tx.query<{ listSeq: number }>(
    `update explorer_cursors set list_seq = list_seq + 1 where chain_id = $1
     returning list_seq as "listSeq"`,
    [chainId],
    { planOnce: true },
  )
  return (row as { listSeq: number }).listSeq
}
