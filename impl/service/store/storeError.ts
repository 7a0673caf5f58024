import { AppError } from 'polgate-lib/errors/appError.ts'

export type StoreErrorReason =
  | 'in-use'
  | 'unavailable'
  | 'schema'
  | 'not-found'
  | 'invalid'
  | 'damaged'

/** Every error of this room that a person has to act upon. */
export class StoreError extends AppError<{
  code: StoreErrorReason
  hint: string
  cause?: unknown
}> {}
