/** A page as it is asked for; `asOf`: as the list was when it had so many rows. */
export type PageOptions = {
  readonly page: number
  readonly size: number
  readonly asOf?: number | undefined
}

/** How many rows of a list stand above a page; past every list where the page is absurd. */
export const rowsToSkip = ({ page, size }: PageOptions): number =>
  Math.min((page - 1) * size, 2 ** 52)
