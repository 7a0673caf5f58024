import type { IndexedBlock } from '../../store/explorer/chainEvent.ts'
import type { ExplorerIndex } from '../../store/explorer/explorerIndex.ts'

const firstPage = 16
const maxPage = 1_024

/**
 * The newest block that both the index and the chain have (decision X5); undefined without one. If
 * a block matches, all earlier ones do, so a binary search over each page needs few requests.
 *
 * @param below only blocks with a lower number are considered
 * @returns also `lowest`, the first block in the index
 */
export async function commonAncestor(options: {
  readonly index: Pick<ExplorerIndex, 'knownBlocks'>
  readonly chainId: number
  /** Whether the chain has this block. */
  readonly isSame: (block: IndexedBlock) => Promise<boolean>
  readonly below?: number | undefined
}): Promise<{ readonly ancestor: IndexedBlock | undefined; readonly lowest: number | undefined }> {
  const { index, chainId, isSame } = options
  let before = options.below
  let lowest: number | undefined
  for (let limit = firstPage; ; limit = Math.min(maxPage, limit * 4)) {
    const page = await index.knownBlocks(chainId, { limit, before })
    const last = page.at(-1)
    if (last === undefined) return { ancestor: undefined, lowest }
    lowest = last.number
    before = last.number
    if (!(await isSame(last))) continue
    // page[low] differs or does not exist, page[high] matches
    let low = -1
    let high = page.length - 1
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (await isSame(page[middle] as IndexedBlock)) high = middle
      else low = middle
    }
    return { ancestor: page[high], lowest }
  }
}
