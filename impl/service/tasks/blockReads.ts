import { createJoinedReads } from 'polgate-chain/joinedReads.ts'
import type { Hash } from 'viem'

/** A block, identified by its hash: after a reorg another block has its number. */
export type BlockRef = { readonly number: number; readonly hash: Hash }

/** Reads of the chain that are shared while its latest block stays the same. */
export type BlockReads = {
  /** The latest block, as the node tells after this call. */
  latest(): Promise<BlockRef>
  /** `read` at the latest block; the same `key` is read once per block. */
  atLatest<T>(key: string, read: (block: number) => Promise<T>): Promise<T>
  /** `read` at a block; shared if it is the latest that is known. */
  at<T>(key: string, block: number, read: (block: number) => Promise<T>): Promise<T>
}

/** Values of one block; more are read again. */
const maxKept = 1_000

/**
 * Most requests of a busy gateway read the same few contracts at the same block. Each still asks the
 * node for its latest block, because its caller may have changed a contract just before: only
 * requests that are not sent yet are shared.
 */
export function createBlockReads(readLatest: () => Promise<BlockRef>): BlockReads {
  const join = createJoinedReads()
  let current:
    | { readonly block: BlockRef; readonly values: Map<string, Promise<unknown>> }
    | undefined

  const latest = () =>
    join('latest', async () => {
      const block = await readLatest()
      if (current?.block.hash !== block.hash) current = { block, values: new Map() }
      return block
    })

  function at<T>(key: string, block: number, read: (block: number) => Promise<T>): Promise<T> {
    if (current?.block.number !== block) return read(block)
    const { values } = current
    const known = values.get(key)
    if (known !== undefined) return known as Promise<T>
    const value = read(block)
    if (values.size < maxKept) {
      values.set(key, value)
      // A failure may pass.
      value.catch(() => values.delete(key))
    }
    return value
  }

  return {
    latest,
    at,
    async atLatest(key, read) {
      const { number } = await latest()
      return await at(key, number, read)
    },
  }
}
