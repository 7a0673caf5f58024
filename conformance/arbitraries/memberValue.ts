import fc from 'fast-check'
import { looseValue } from './looseValue.ts'

/** What a member is made into; undefined takes it away. */
export const memberValue = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 4, arbitrary: looseValue() },
    fc.double(),
    fc.constantFrom(undefined, null, '', '0x', '0', -1, 1e300, '\u0000', [], {}),
  )
