/** Costs of one thing by size. */
export type Series = {
  readonly what: string
  readonly unit: string
  readonly points: readonly Point[]
  /** At most this exponent, or the last cost at most this multiple of the first. */
  readonly bound: { readonly exponent: number } | { readonly factor: number }
}

export type Point = { readonly size: number; readonly cost: number }

export type GrowthOptions = {
  /** Small sizes: shows that it runs. */
  readonly quick: boolean
  /** Tasks over which memory is observed. */
  readonly tasks: number
  say(line: string): void
}

/** What cost may depend on. */
export type Dimension = {
  readonly title: string
  /** @returns the series, or why nothing was measured */
  measure(options: GrowthOptions): Promise<Series[] | string>
}
