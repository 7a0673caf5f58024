import { AppError } from 'polgate-lib/errors/appError.ts'

/** Why a call of this package failed. */
export type TestingErrorCode =
  /** An option or an argument that is unknown or not valid. */
  | 'option'
  /** The stack could not be started. */
  | 'start'
  /** The process of the stack has ended. */
  | 'ended'
  /** The stack refused or failed. */
  | 'stack'
  /** What was waited for did not happen in time. */
  | 'timeout'
  /** A package that the call needs is not installed. */
  | 'missing-package'

/** The message says what is wrong and where, and ends with what to do. */
export class TestingError extends AppError<{ code: TestingErrorCode; hint: string }> {
  constructor(message: string, details: { code: TestingErrorCode; hint: string; cause?: unknown }) {
    super(`${message}. ${details.hint}`, details)
  }
}
