import fc from 'fast-check'

/** Indices of stopped operators: none, some or all, ascending. */
export const operatorSubset = (operators: number): fc.Arbitrary<readonly number[]> =>
  fc
    .array(fc.boolean(), { minLength: operators, maxLength: operators })
    .map((stopped) => stopped.flatMap((is, i) => (is ? [i] : [])))
