import fc from 'fast-check'

export type BitFlip = {
  /** Which of the flippable values, as a fraction of their number. */
  readonly place: number
  /** Which bit of it, counted from the lowest; modulo its length. */
  readonly bit: number
}

/**
 * One bit of one value; places are fractions, so that shrinking does not depend on their number.
 */
export const bitFlip = (): fc.Arbitrary<BitFlip> =>
  fc.record({
    place: fc.integer({ min: 0, max: 9_999 }).map((n) => n / 10_000),
    bit: fc.nat({ max: 1023 }),
  })
