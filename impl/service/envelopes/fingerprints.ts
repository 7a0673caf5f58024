import { createHash } from 'node:crypto'
import { parseEnvelope } from './envelope.ts'
import { EnvelopeError } from './envelopeError.ts'

/**
 * What identifies an envelope however it is written: SHA-256 of the bytes of `enc` and of `ciphertext`, each with a
 * label, 64 hex digits (decision K17). Letter case, white space, the order of members and further members do not
 * change them, because they are made from the members that are opened.
 *
 * @returns an empty list for a text that is not an envelope: it never opens
 */
export function fingerprintsOf(envelope: string): readonly string[] {
  try {
    const { enc, ciphertext } = parseEnvelope(envelope)
    return [fingerprint('enc', enc), fingerprint('ciphertext', ciphertext)]
  } catch (error) {
    if (error instanceof EnvelopeError) return []
    throw error
  }
}

const fingerprint = (member: 'enc' | 'ciphertext', hex: string): string =>
  createHash('sha256')
    .update(`envelope ${member} 1\n`)
    .update(Buffer.from(hex, 'hex'))
    .digest('hex')
