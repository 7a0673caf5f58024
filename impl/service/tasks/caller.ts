import type { Address } from 'polgate-protocol/scalars.ts'

/**
 * The caller: its key, and the owners whose policy clients it may use (sections 5.1, 5.2), in lower
 * case.
 */
export type Caller = {
  readonly keyId: string
  /** Of the key, as in `UsedKey`. Absent: the call has no API key. */
  readonly rotatedAt?: Date | null | undefined
  readonly owners: readonly Address[]
}
