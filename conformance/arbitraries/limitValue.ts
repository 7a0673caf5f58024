import fc from 'fast-check'

/** Wei around the limits of the fixtures' policies, where decisions change. */
export const limitValue = (): fc.Arbitrary<bigint> =>
  fc.oneof(
    fc.bigInt({ min: 0n, max: 2n * 10n ** 18n }),
    fc.constantFrom(10n ** 18n - 1n, 10n ** 18n, 10n ** 18n + 1n, 10n ** 19n, 10n ** 19n + 1n),
  )
