/**
 * Errors of the engine. A policy can only fail with a {@link RegoError}; codes and messages are
 * those of OPA, so that tools and users recognize them.
 */

export type RegoErrorCode =
  | 'rego_parse_error'
  | 'rego_compile_error'
  | 'rego_type_error'
  | 'rego_unsafe_var_error'
  | 'rego_recursion_error'
  | 'eval_builtin_error'
  | 'eval_type_error'
  | 'eval_conflict_error'
  | 'eval_internal_error'
  | 'eval_cancel_error'

/** Location in the policy: 1-based row and column. */
export type Location = { readonly file: string; readonly row: number; readonly col: number }

/** An error in parsing, compiling or evaluating a policy. */
export class RegoError extends Error {
  override readonly name: string = 'RegoError'
  readonly code: RegoErrorCode
  readonly location: Location | undefined

  constructor(
    code: RegoErrorCode,
    message: string,
    options: { readonly location?: Location | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.location = options.location
  }

  /** `file:row: code: message`, the format of OPA. */
  get text(): string {
    const at = this.location === undefined ? '' : `${this.location.file}:${this.location.row}: `
    return `${at}${this.code}: ${this.message}`
  }
}

/**
 * A built-in rejected its operands. Contains neither the name of the built-in nor a location: the
 * evaluator adds both (`name: message`). In non-strict mode it makes the call undefined, unless it
 * is `fatal` (the extensions of decision R10).
 */
export class BuiltinError extends Error {
  override readonly name: string = 'BuiltinError'
  readonly code: 'eval_builtin_error' | 'eval_type_error' | 'eval_conflict_error'
  readonly fatal: boolean
  /** The message is a constant: nothing of operands and documents is in it. */
  readonly isConstant: boolean

  constructor(
    message: string,
    code: 'eval_builtin_error' | 'eval_type_error' | 'eval_conflict_error' = 'eval_builtin_error',
    options: {
      readonly fatal?: boolean
      readonly isConstant?: boolean
      readonly cause?: unknown
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.fatal = options.fatal ?? false
    this.isConstant = options.isConstant ?? false
  }
}

/** A limit of the evaluation was exceeded: deadline, memory, or depth. An error in both modes. */
export class LimitError extends RegoError {
  override readonly name: string = 'LimitError'

  constructor(
    message: string,
    options: { readonly location?: Location | undefined; readonly cause?: unknown } = {},
  ) {
    super('eval_cancel_error', message, options)
  }
}

/** An error of the evaluation with the location where it occurred, if it has none yet; others as they are. */
export function located(error: unknown, location: Location | undefined): unknown {
  if (!(error instanceof RegoError) || error.location !== undefined || location === undefined)
    return error
  const options = { location, cause: error }
  return error instanceof LimitError
    ? new LimitError(error.message, options)
    : new RegoError(error.code, error.message, options)
}
