import { createPublicKey, type JsonWebKey, type KeyObject, X509Certificate } from 'node:crypto'
import { BuiltinError } from '../../errors.ts'

/** A verification key with its metadata in the key set. */
export type VerifyKey = {
  readonly key: KeyObject | Buffer
  readonly kid: string | undefined
  readonly alg: string | undefined
}

const PEM = /^\s*-----BEGIN ([A-Z0-9 ]+)-----\r?\n([\s\S]*?)-----END \1-----[ \t]*\r?\n?/

/** The first block of a PEM text and the remaining text. */
export function pemBlock(
  text: string,
): { readonly label: string; readonly der: Buffer; readonly rest: string } | undefined {
  const match = PEM.exec(text)
  if (match === null) return undefined
  const [all, label = '', body = ''] = match
  const base64 = body.replace(/\s/g, '')
  // As Go, which looks for the next block.
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64)) {
    return pemBlock(text.slice(all.length))
  }
  return {
    label,
    der: Buffer.from(base64, 'base64'),
    rest: text.slice(all.length),
  }
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function ofPem(label: string, der: Buffer): KeyObject {
  if (label === 'CERTIFICATE') {
    try {
      return new X509Certificate(der).publicKey
    } catch (error) {
      throw new BuiltinError(`failed to parse a PEM certificate: ${reason(error)}`)
    }
  }
  if (label === 'PUBLIC KEY') {
    try {
      return createPublicKey({ key: der, format: 'der', type: 'spki' })
    } catch (error) {
      throw new BuiltinError(`failed to parse a PEM public key: ${reason(error)}`)
    }
  }
  throw new BuiltinError('failed to extract a Key from the PEM certificate')
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function ofJwk(jwk: unknown): VerifyKey {
  if (!isRecord(jwk)) throw new Error('a key is an object')
  const text = (name: string): string | undefined => {
    const value = jwk[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const key =
    jwk.kty === 'oct'
      ? Buffer.from(text('k') ?? '', 'base64url')
      : createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
  return { key, kid: text('kid'), alg: text('alg') }
}

/**
 * Keys of a PEM certificate or public key, or of a JSON Web Key or key set.
 *
 * @throws BuiltinError
 */
export function verifyKeys(text: string): readonly VerifyKey[] {
  const block = pemBlock(text)
  if (block !== undefined) {
    if (block.rest !== '') throw new BuiltinError('extra data after a PEM certificate block')
    return [{ key: ofPem(block.label, block.der), kid: undefined, alg: undefined }]
  }
  try {
    const json: unknown = JSON.parse(text)
    const keys = isRecord(json) && Array.isArray(json.keys) ? json.keys : [json]
    if (keys.length > 100) throw new Error('more than 100 keys')
    return keys.map(ofJwk)
  } catch (error) {
    throw new BuiltinError(`failed to parse a JWK key (set): ${reason(error)}`)
  }
}
