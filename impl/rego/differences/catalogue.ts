import type { Difference } from './difference.ts'
import { negation } from './negation.ts'
import { values } from './values.ts'

/** All known differences, in the order of the page. */
export const differences: readonly Difference[] = [...negation, ...values]
