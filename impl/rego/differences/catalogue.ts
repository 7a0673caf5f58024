import { computation } from './computation.ts'
import type { Difference } from './difference.ts'
import { engineFormats } from './engineFormats.ts'
import { engineLanguage } from './engineLanguage.ts'
import { engineMore } from './engineMore.ts'
import { engineText } from './engineText.ts'
import { negation } from './negation.ts'
import { opaBuiltins } from './opaBuiltins.ts'
import { opaFaults } from './opaFaults.ts'
import { values } from './values.ts'

/** All known differences, in the order of the page. */
export const differences: readonly Difference[] = [
  ...negation,
  ...values,
  ...computation,
  ...engineLanguage,
  ...engineText,
  ...engineFormats,
  ...engineMore,
  ...opaFaults,
  ...opaBuiltins,
]
