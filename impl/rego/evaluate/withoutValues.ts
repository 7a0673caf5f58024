import { BuiltinError, LimitError, RegoError, type RegoErrorCode } from '../errors.ts'

const KINDS: Readonly<Record<RegoErrorCode, string>> = {
  rego_parse_error: 'the policy or its documents do not parse',
  rego_compile_error: 'the policy does not compile with its documents',
  rego_type_error: 'a type does not fit',
  rego_unsafe_var_error: 'a variable is unsafe',
  rego_recursion_error: 'a rule is recursive',
  eval_builtin_error: 'a built-in function failed',
  eval_type_error: 'an operand has the wrong type',
  eval_conflict_error: 'there are several values where one is allowed',
  eval_internal_error: 'the evaluation failed',
  eval_cancel_error: 'the evaluation exceeded a limit',
}

/**
 * An error of an evaluation with private data: its code and place, and a text without operands, keys and
 * other values. The cause is dropped with them. A constant text of a built-in is kept.
 */
export function withoutValues(error: RegoError): RegoError {
  const { code, location, cause } = error
  const isConstant = cause instanceof BuiltinError && cause.isConstant
  const message = isConstant ? error.message : `${KINDS[code]} (details are hidden: private data)`
  return error instanceof LimitError
    ? new LimitError(message, { location })
    : new RegoError(code, message, { location })
}
