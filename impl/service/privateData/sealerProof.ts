import { createHash } from 'node:crypto'
import { parseEnvelope, type SecureEnvelope } from '../envelopes/envelope.ts'
import { encapsulatedPoint } from '../threshold/encapsulatedPoint.ts'
import { framed } from '../threshold/group.ts'
import { type Proof, verifyKnowledge } from '../threshold/proofs.ts'
import { ThresholdError } from '../threshold/thresholdError.ts'

/** The last results: the members of one process verify the same envelopes. */
const known = new Map<string, boolean>()
const maxKnown = 1_000

/**
 * Whether the sealer of an envelope proves that it knows the secret of the encapsulated key, for
 * this envelope alone (decision K16). A partial decryption depends on that key only: without the
 * proof, an operator could have the key of any envelope decrypted as part of one of its own.
 *
 * @throws EnvelopeError `format`
 */
export function isProvenBySealer(envelope: string): boolean {
  const digest = createHash('sha256').update(envelope).digest('base64')
  const before = known.get(digest)
  if (before !== undefined) return before
  const result = verified(parseEnvelope(envelope), proofIn(envelope))
  known.set(digest, result)
  for (const oldest of known.keys()) {
    if (known.size <= maxKnown) break
    known.delete(oldest)
  }
  return result
}

function verified(envelope: SecureEnvelope, proof: Proof | undefined): boolean {
  if (proof === undefined) return false
  try {
    const key = Buffer.from(envelope.enc, 'hex')
    return verifyKnowledge(contextOf(envelope), encapsulatedPoint(key), proof)
  } catch (error) {
    if (error instanceof ThresholdError) return false
    throw error
  }
}

function contextOf(envelope: SecureEnvelope): Uint8Array {
  const chain = Buffer.alloc(8)
  chain.writeBigUInt64BE(BigInt(envelope.chain_id))
  const bytes = (hex: string) => Buffer.from(hex.replace(/^0x/, ''), 'hex')
  return framed(
    'sealed envelope 1',
    bytes(envelope.enc),
    bytes(envelope.ciphertext),
    bytes(envelope.policy_client),
    chain,
    bytes(envelope.recipient_pubkey),
  )
}

function proofIn(envelope: string): Proof | undefined {
  const { proof } = JSON.parse(envelope) as { readonly proof?: Partial<Proof> | null }
  const { challenge, response } = proof ?? {}
  return isScalar(challenge) && isScalar(response) ? { challenge, response } : undefined
}

const isScalar = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
