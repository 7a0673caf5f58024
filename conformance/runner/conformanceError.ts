import { AppError } from 'polgate-lib/errors/appError.ts'

export type ConformanceErrorOptions = {
  /** What the specification lets a reader expect, in one line. */
  readonly expected: string
  /** What the target did, in one line. */
  readonly observed: string
  /** The counterexample of a property, where one was found. */
  readonly counterexample?: string | undefined
  readonly cause?: unknown
}

/** The target does not do what a clause says. Everything else that is thrown is not a finding. */
export class ConformanceError extends AppError {
  readonly expected: string
  readonly observed: string
  readonly counterexample: string | undefined

  constructor(message: string, options: ConformanceErrorOptions) {
    super(message, { cause: options.cause })
    this.expected = options.expected
    this.observed = options.observed
    this.counterexample = options.counterexample
  }
}

/** Something the check needs is not there: the check proves nothing, and says why. */
export class Untestable extends AppError {}

/** The run cannot start: a flag, a file, an address. Exit code 2. */
export class CannotRun extends AppError {
  constructor(message: string, hint?: string, cause?: unknown) {
    super(message, { hint, cause })
  }
}
