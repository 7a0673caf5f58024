/**
 * The error family of the engine. A policy can end in a {@link RegoError} and in nothing else:
 * codes and texts are those that OPA prints, so that tools and people recognise them.
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

/** Where in the policy: 1-based row and column. */
export type Location = { readonly file: string; readonly row: number; readonly col: number }

/** What goes wrong while a policy is parsed, compiled or evaluated. */
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

  /** `file:row: code: message`, the line OPA prints. */
  get text(): string {
    const at = this.location === undefined ? '' : `${this.location.file}:${this.location.row}: `
    return `${at}${this.code}: ${this.message}`
  }
}

/**
 * A built-in refused its operands. It carries neither the name of the built-in nor a location:
 * the evaluator knows both and adds them (`name: message`). In non-strict mode it makes the
 * call undefined, unless it is `fatal` (the extensions of decision R10).
 */
export class BuiltinError extends Error {
  override readonly name: string = 'BuiltinError'
  readonly code: 'eval_builtin_error' | 'eval_type_error' | 'eval_conflict_error'
  readonly fatal: boolean

  constructor(
    message: string,
    code: 'eval_builtin_error' | 'eval_type_error' | 'eval_conflict_error' = 'eval_builtin_error',
    options: { readonly fatal?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.fatal = options.fatal ?? false
  }
}

/** A bound of the evaluation was hit: deadline, memory, or depth. An error in both modes. */
export class LimitError extends RegoError {
  override readonly name: string = 'LimitError'

  constructor(message: string) {
    super('eval_cancel_error', message)
  }
}
