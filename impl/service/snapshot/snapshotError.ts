import { AppError } from 'polgate-lib/errors/appError.ts'

/**
 * `damaged`: truncated, altered, or no snapshot at all · `version`: of a later release ·
 * `in-use`: a service is running on the target · `occupied`: the target has data ·
 * `no-place`: a part of the snapshot, or of what is to be saved, has nowhere to go ·
 * `storage`: files could not be read or written · `source`: what is to be saved did not answer
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
    hint: 'Nothing was loaded. Fetch the file again, or take another snapshot.',
    cause,
  })

export const noAnswer = (what: string, cause?: unknown): SnapshotError =>
  new SnapshotError(`The chain could not be saved: ${what.slice(0, 200)}`, {
    code: 'source',
    hint: 'Is its Anvil running?',
    cause,
  })
