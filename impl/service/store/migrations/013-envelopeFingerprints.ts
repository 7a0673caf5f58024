import { fillFingerprints } from '../fillFingerprints.ts'

/**
 * Fingerprints of every envelope that was submitted for storage (decision K17). Rows are never deleted. `stored_for`
 * is the use that the envelope was first stored for; null if it was submitted only.
 */
export const envelopeFingerprints = {
  id: 13,
  sql: `
      create table envelope_fingerprints (
        fingerprint bytea primary key,
        stored_for  text check (stored_for in ('secrets', 'identity', 'confidential'))
      );
    `,
  fill: fillFingerprints,
}
