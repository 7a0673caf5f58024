import type { ResolvedRule } from '../compile/resolved.ts'
import { RegoError } from '../errors.ts'

/** The error of a rule or function that has two values. */
export const conflict = (rule: ResolvedRule): RegoError => {
  const message =
    rule.args === undefined
      ? 'complete rules must not produce multiple outputs'
      : 'functions must not produce multiple outputs for same inputs'
  return new RegoError('eval_conflict_error', message, { location: rule.span.location })
}
