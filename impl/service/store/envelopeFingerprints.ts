import { AppError } from 'polgate-lib/errors/appError.ts'
import { fingerprintsOf } from '../envelopes/fingerprints.ts'
import type { Queries } from './database.ts'

/** What envelopes are stored for (decision K17). */
export type StoredUse = 'secrets' | 'identity' | 'confidential'

/** An envelope, or one with the same `enc` or `ciphertext`, is stored for another use. Nothing was stored. */
export class StoredForAnotherUse extends AppError {
  constructor() {
    super('envelope is already stored for another use; seal the data again')
  }
}

/**
 * Fingerprints of the envelopes that were ever submitted for storage, also of replaced, deleted and refused ones. What
 * is recorded here is not opened for a caller that sends it along with a request.
 */
export const fingerprintQueries = (database: Queries) => ({
  /** Before anything else happens to a submitted envelope. A text that is not an envelope has no fingerprints. */
  async recordSubmitted(envelope: string): Promise<void> {
    const fingerprints = fingerprintsOf(envelope)
    if (fingerprints.length === 0) return
    await database.query(
      `insert into envelope_fingerprints (fingerprint)
       select decode(fingerprint, 'hex') from unnest($1::text[]) as fingerprint
       on conflict do nothing`,
      [fingerprints],
    )
  },

  /** Whether one of the envelopes shares `enc` or `ciphertext` with one that was submitted. */
  async wasSubmitted(envelopes: readonly string[]): Promise<boolean> {
    const fingerprints = envelopes.flatMap(fingerprintsOf)
    if (fingerprints.length === 0) return false
    const [row] = await database.query<{ found: boolean }>(
      `select exists (
         select from envelope_fingerprints
         where fingerprint in (select decode(f, 'hex') from unnest($1::text[]) as f)
       ) as found`,
      [fingerprints],
    )
    return row?.found !== false
  },
})

export type FingerprintQueries = ReturnType<typeof fingerprintQueries>

/**
 * The start of a statement that stores an envelope: it reserves the fingerprints in parameter `at` for a use, so that
 * both happen or neither. The statement stores nothing unless `reserved`.
 */
export const reserving = (use: StoredUse, at: number): string =>
  `with fingerprints as (
     insert into envelope_fingerprints (fingerprint, stored_for)
     select decode(fingerprint, 'hex'), '${use}' from unnest($${at}::text[]) as fingerprint
     on conflict (fingerprint) do update
       set stored_for = coalesce(envelope_fingerprints.stored_for, excluded.stored_for)
     returning stored_for
   )`

/** The condition of such a statement: no fingerprint has another use. */
export const reserved = (use: StoredUse): string =>
  `not exists (select from fingerprints where stored_for <> '${use}')`
