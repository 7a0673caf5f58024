import type { PageOptions } from './explorerStore.ts'

/** How many rows of a list stand above a page; past every list where the page is absurd. */
export const rowsToSkip = ({ page, size }: PageOptions): number =>
  Math.min((page - 1) * size, 2 ** 52)
