import type { ResolvedRule } from '../compile/resolved.ts'
import { RegoError } from '../errors.ts'

/** The error for a rule or function with two different values. */
export function conflict(rule: ResolvedRule): RegoError {
  const message =
    rule.args === undefined
      ? 'complete rules must not produce multiple outputs'
      : 'functions must not produce multiple outputs for same inputs'
  return new RegoError('eval_conflict_error', message, { location: rule.span.location })
}
