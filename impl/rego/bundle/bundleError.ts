import { RegoError } from '../errors.ts'

/** A bundle, or a data file, that cannot be used. */
export class BundleError extends RegoError {
  override readonly name: string = 'BundleError'
  /** What to do next. */
  readonly hint: string | undefined

  constructor(message: string, options: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super('eval_internal_error', message, options)
    this.hint = options.hint
  }
}
