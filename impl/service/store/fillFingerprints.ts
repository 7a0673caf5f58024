import { fingerprintsOf } from '../envelopes/fingerprints.ts'
import type { Transaction } from './database.ts'
import type { StoredUse } from './envelopeFingerprints.ts'

/** Envelopes have up to 256 KiB. */
const rowsPerPage = 100

/** An envelope that has two uses is recorded for the first of these; both stay stored. */
const tables: readonly { readonly use: StoredUse; readonly table: string; readonly key: string }[] =
  [
    { use: 'identity', table: 'identity_data', key: 'data_ref_id' },
    { use: 'confidential', table: 'confidential_data', key: 'data_ref_id' },
    { use: 'secrets', table: 'secrets', key: "policy_client || ' ' || policy_data_address" },
  ]

/**
 * Records the envelopes that earlier releases stored. Not in SQL: PostgreSQL and JSON.parse differ in what they accept, and
 * one row must not stop the migration.
 */
export async function fillFingerprints(tx: Transaction): Promise<void> {
  for (const { use, table, key } of tables) {
    for (let after = ''; ; ) {
      const rows = await tx.query<{ key: string; envelope: string }>(
        `select ${key} as key, envelope from ${table} where ${key} > $1 order by 1 limit ${rowsPerPage}`,
        [after],
      )
      const last = rows.at(-1)
      if (last === undefined) break
      after = last.key
      await tx.query(
        `insert into envelope_fingerprints (fingerprint, stored_for)
         select decode(fingerprint, 'hex'), $2 from unnest($1::text[]) as fingerprint
         on conflict do nothing`,
        [rows.flatMap(({ envelope }) => fingerprintsOf(envelope)), use],
      )
    }
  }
}
