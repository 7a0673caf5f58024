import { AppError } from 'polgate-lib/errors/appError.ts'

/**
 * The API key of a request, as it was authenticated. A row that a request replaces or removes is written
 * only while that key is still valid: otherwise a pending request of a deleted or rotated key would undo
 * what was acknowledged afterwards.
 */
export type UsedKey = {
  readonly keyId: string
  /** Null if it was not rotated: a rotation leaves the id as it is. */
  readonly rotatedAt: Date | null
}

/** The key of a request was deleted or rotated, or has expired, since it was authenticated. */
export class KeyChanged extends AppError {
  constructor() {
    super('the API key has changed since the request began')
  }
}

/** The key of a call, if it has one. */
export const usedKeyOf = ({
  keyId,
  rotatedAt,
}: {
  readonly keyId: string
  readonly rotatedAt?: Date | null | undefined
}): UsedKey | undefined => (rotatedAt === undefined ? undefined : { keyId, rotatedAt })

/** The parameters of `selectUsedKey`. */
export const usedKeyParams = (key: UsedKey | undefined, now: Date): unknown[] => [
  key?.keyId ?? null,
  key?.rotatedAt ?? null,
  now,
]

/**
 * Finds the key if it is valid.
 *
 * @param from the number of the first of `usedKeyParams`
 */
export const selectUsedKey = (from: number): string =>
  `select id from api_keys where id = $${from}::text
     and rotated_at is not distinct from $${from + 1}::timestamptz
     and (expires_at is null or expires_at > $${from + 2}::timestamptz)`

/** The same; the key cannot change until the transaction ends. */
export const lockUsedKey = (from: number): string => `${selectUsedKey(from)} for key share`
