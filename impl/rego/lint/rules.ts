import type { LintRule } from './lintRule.ts'
import { defaultAllow } from './rules/defaultAllow.ts'
import { functionText } from './rules/functionText.ts'
import { oracleErrors } from './rules/oracleErrors.ts'
import { privateReasons } from './rules/privateReasons.ts'
import { undefinedNegation } from './rules/undefinedNegation.ts'
import { unreadParams } from './rules/unreadParams.ts'
import { unrestrictedTarget } from './rules/unrestrictedTarget.ts'
import { untestedDeny } from './rules/untestedDeny.ts'

/** All rules of lint: patterns by which a policy may allow because something failed or more than they should, or tell what is private. */
export const LINT_RULES: readonly LintRule[] = [
  undefinedNegation,
  defaultAllow,
  untestedDeny,
  unreadParams,
  oracleErrors,
  privateReasons,
  unrestrictedTarget,
  functionText,
]

export const ruleOf = (id: string): LintRule | undefined =>
  LINT_RULES.find((rule) => rule.id === id)
