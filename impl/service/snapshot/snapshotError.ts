import { AppError } from 'polgate-lib/errors/appError.ts'

/**
 * `damaged`: truncated, altered, or not a snapshot · `version`: of a later release ·
 * `in-use`: a service is running on the target · `occupied`: the target has data ·
 * `no-place`: no location is given for a part of the snapshot ·
 * `storage`: files could not be read or written · `source`: the saved chain or database failed
 */
export type SnapshotErrorReason =
  | 'damaged'
  | 'version'
  | 'in-use'
  | 'occupied'
  | 'no-place'
  | 'storage'
  | 'source'

/** Every error of this room that a person has to act upon. */
export class SnapshotError extends AppError<{
  code: SnapshotErrorReason
  hint: string
  cause?: unknown
}> {}

export const damaged = (what: string, cause?: unknown): SnapshotError =>
  new SnapshotError(`The snapshot is damaged: ${what}`, {
    code: 'damaged',
    hint: 'Nothing was loaded. Copy the file again, or create another snapshot.',
    cause,
  })

export const noAnswer = (what: string, cause?: unknown): SnapshotError =>
  new SnapshotError(`The chain could not be saved: ${what.slice(0, 200)}`, {
    code: 'source',
    hint: 'Check that its Anvil is running.',
    cause,
  })
