import { AppError } from 'polgate-lib/errors/appError.ts'
import type { LimitCut } from './events.ts'

export type ConformanceErrorOptions = {
  /** What the specification requires, in one line. */
  readonly expected: string
  /** What the target did, in one line. */
  readonly observed: string
  /** The counterexample of a property, where one was found. */
  readonly counterexample?: string | undefined
  readonly cause?: unknown
}

/** The target violates a clause. Any other thrown error is not a finding. */
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

/** Something that the check waited for did not come: on an overloaded machine that proves nothing. */
export class NotInTime extends ConformanceError {}

/** A prerequisite of the check is missing: it proves nothing and gives the reason. */
export class Untestable extends AppError {
  /** The capability that the target lacks, where it is one. */
  readonly lacks: string | undefined
  /** The limit of the run that prevents it, where it is one. */
  readonly cut: LimitCut | undefined

  constructor(
    message: string,
    { lacks, cut }: { readonly lacks?: string; readonly cut?: LimitCut } = {},
  ) {
    super(message)
    this.lacks = lacks
    this.cut = cut
  }
}

/** The suite, or this machine, was too late for what it tests: another run of the check may be in time. */
export class TooLate extends Untestable {}

/** The run cannot start: an invalid flag, file or address. Exit code 2. */
export class CannotRun extends AppError {
  constructor(message: string, hint?: string, cause?: unknown) {
    super(message, { hint, cause })
  }
}
