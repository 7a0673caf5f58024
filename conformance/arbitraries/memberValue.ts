import fc from 'fast-check'
import { looseValue } from './looseValue.ts'

/** Replacement of a member; undefined removes it. */
export const memberValue = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 4, arbitrary: looseValue() },
    fc.double(),
    fc.constantFrom(undefined, null, '', '0x', '0', -1, 1e300, '\u0000', [], {}),
  )
