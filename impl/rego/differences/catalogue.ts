import { builtinDifferences } from './builtins.ts'
import { computation } from './computation.ts'
import type { Difference } from './difference.ts'
import { documents } from './documents.ts'
import { engineFormats } from './engineFormats.ts'
import { engineLanguage } from './engineLanguage.ts'
import { enginePaths } from './enginePaths.ts'
import { engineText } from './engineText.ts'
import { functions } from './functions.ts'
import { negation } from './negation.ts'
import { opaBuiltins } from './opaBuiltins.ts'
import { opaFaults } from './opaFaults.ts'
import { rules } from './rules.ts'
import { syntax } from './syntax.ts'
import { values } from './values.ts'

/** All known differences, in the order of the page. */
export const differences: readonly Difference[] = [
  ...negation,
  ...values,
  ...syntax,
  ...rules,
  ...functions,
  ...documents,
  ...computation,
  ...engineLanguage,
  ...engineText,
  ...engineFormats,
  ...enginePaths,
  ...opaFaults,
  ...opaBuiltins,
  ...builtinDifferences,
]
