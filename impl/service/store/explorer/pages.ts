/** A requested page; `asOf`: as the list was when it had this many rows. */
export type PageOptions = {
  readonly page: number
  readonly size: number
  readonly asOf?: number | undefined
}

/** How many rows of a list precede a page; an absurdly high page is past the end of every list. */
export const rowsToSkip = ({ page, size }: PageOptions): number =>
  Math.min((page - 1) * size, 2 ** 52)
