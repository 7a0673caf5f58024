import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/** Content type of an envelope: an in-toto statement as JSON. */
export const payloadType = 'application/vnd.in-toto+json'

/** A signed envelope (DSSE 1.0): the payload as it was signed, and its signatures. */
export type Envelope = {
  /** Base64. */
  readonly payload: string
  readonly payloadType: string
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[]
}

/**
 * The signed bytes: type and payload with their lengths, so that no byte of one can be read as part
 * of the other.
 */
export const preAuthEncoding = (type: string, payload: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `),
    payload,
  ])

/** SHA-256 over the DER form of a public key, hex. A hint for a reader, not a trust anchor. */
export function keyIdOf(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
}

/** Signs with an Ed25519 key. */
export const signEnvelope = (payload: Uint8Array, privateKey: KeyObject): Envelope => ({
  payload: Buffer.from(payload).toString('base64'),
  payloadType,
  signatures: [
    {
      keyid: keyIdOf(privateKey),
      sig: sign(null, preAuthEncoding(payloadType, payload), privateKey).toString('base64'),
    },
  ],
})

/** Decodes canonical base64; undefined for anything else. */
function strictBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

/**
 * The payload of an envelope signed by this key; otherwise undefined. The algorithm is that of the
 * trusted key: nothing in the envelope selects it.
 */
export function openEnvelope(envelope: Envelope, publicKey: KeyObject): Buffer | undefined {
  if (publicKey.asymmetricKeyType !== 'ed25519') return undefined
  const payload = strictBase64(envelope.payload)
  if (payload === undefined || envelope.payloadType !== payloadType) return undefined
  const message = preAuthEncoding(envelope.payloadType, payload)
  const signed = envelope.signatures.some(({ sig }) => {
    const bytes = strictBase64(sig)
    return bytes !== undefined && bytes.length === 64 && verify(null, message, publicKey, bytes)
  })
  return signed ? payload : undefined
}
