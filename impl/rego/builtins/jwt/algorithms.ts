import {
  constants,
  createHash,
  createHmac,
  createPrivateKey,
  type JsonWebKey,
  type KeyObject,
  privateEncrypt,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto'
import { p256, p384, p521 } from '@noble/curves/nist.js'
import { BuiltinError } from '../../errors.ts'
import type { RandomSource } from '../builtin.ts'

type Kind = 'HS' | 'RS' | 'PS' | 'ES' | 'EdDSA'

/** A JOSE signature algorithm. */
export type Algorithm = { readonly kind: Kind; readonly hash: 'sha256' | 'sha384' | 'sha512' }

/** @returns undefined for an unknown name, including `none` */
export function algorithmOf(name: string): Algorithm | undefined {
  if (name === 'EdDSA') return { kind: 'EdDSA', hash: 'sha512' }
  const match = /^(HS|RS|PS|ES)(256|384|512)$/.exec(name)
  if (match === null) return undefined
  return { kind: match[1] as Kind, hash: `sha${match[2]}` as Algorithm['hash'] }
}

const TYPES = { RS: 'rsa', PS: 'rsa', ES: 'ec', EdDSA: 'ed25519' } as const

/** Whether a signature is valid. A key of another type than the algorithm's never verifies. */
export function isSigned(
  { kind, hash }: Algorithm,
  key: KeyObject | Buffer,
  text: string,
  signature: Buffer,
): boolean {
  if (kind === 'HS') {
    if (!Buffer.isBuffer(key)) return false
    const mac = createHmac(hash, key).update(text).digest()
    return mac.length === signature.length && timingSafeEqual(mac, signature)
  }
  if (Buffer.isBuffer(key) || key.asymmetricKeyType !== TYPES[kind]) return false
  const data = Buffer.from(text)
  switch (kind) {
    case 'RS':
      return verify(hash, data, key, signature)
    case 'PS': {
      const padding = constants.RSA_PKCS1_PSS_PADDING
      const saltLength = constants.RSA_PSS_SALTLEN_AUTO
      return verify(hash, data, { key, padding, saltLength }, signature)
    }
    case 'ES':
      return verify(hash, data, { key, dsaEncoding: 'ieee-p1363' }, signature)
    default:
      return verify(null, data, key, signature)
  }
}

const CURVES = { 'P-256': p256, 'P-384': p384, 'P-521': p521 } as const

function mask(hash: string, seed: Buffer, length: number): Buffer {
  const parts: Buffer[] = []
  for (let i = 0, size = 0; size < length; i++) {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(i)
    const part = createHash(hash).update(seed).update(counter).digest()
    parts.push(part)
    size += part.length
  }
  return Buffer.concat(parts).subarray(0, length)
}

/**
 * RSASSA-PSS with a salt from the evaluation's seed, so that the signature is the same in every
 * repetition (RFC 8017, 9.1.1).
 */
function signPss(hash: string, key: KeyObject, data: Buffer, random: RandomSource): Buffer {
  const bits = (key.asymmetricKeyDetails?.modulusLength ?? 2_048) - 1
  const length = Math.ceil(bits / 8)
  const digest = createHash(hash).update(data).digest()
  const salt = random.bytes(`io.jwt.pss/${digest.toString('hex')}`, digest.length)
  const inner = createHash(hash).update(Buffer.alloc(8)).update(digest).update(salt).digest()
  const padding = length - salt.length - inner.length - 2
  if (padding < 0) throw new BuiltinError('the key is too short for the algorithm')
  const block = Buffer.concat([Buffer.alloc(padding), Buffer.of(1), salt])
  const masking = mask(hash, inner, block.length)
  const masked = Buffer.from(block.map((byte, i) => byte ^ (masking[i] as number)))
  masked[0] = (masked[0] as number) & (0xff >> (8 * length - bits))
  const encoded = Buffer.concat([masked, inner, Buffer.of(0xbc)])
  const full = Buffer.concat([Buffer.alloc(Math.ceil((bits + 1) / 8) - encoded.length), encoded])
  return privateEncrypt({ key, padding: constants.RSA_NO_PADDING }, full)
}

/**
 * Signs with a JSON Web Key. All signatures are deterministic: ES* by RFC 6979.
 *
 * @throws BuiltinError if the key does not match the algorithm
 */
export function signWith(
  { kind, hash }: Algorithm,
  jwk: Readonly<Record<string, unknown>>,
  text: string,
  random: RandomSource,
): Buffer {
  const data = Buffer.from(text)
  const member = (name: string): Buffer => Buffer.from(String(jwk[name] ?? ''), 'base64url')
  const wanted = { HS: 'oct', RS: 'RSA', PS: 'RSA', ES: 'EC', EdDSA: 'OKP' }[kind]
  if (jwk.kty !== wanted)
    throw new BuiltinError(`invalid key type for the algorithm: ${String(jwk.kty)}`)
  if (kind === 'HS') {
    const secret = member('k')
    // Anyone could make such a signature.
    if (secret.length === 0) {
      throw new BuiltinError('failed to sign Payload: missing key while signing payload')
    }
    return createHmac(hash, secret).update(data).digest()
  }
  if (kind === 'ES') {
    const curve = CURVES[jwk.crv as keyof typeof CURVES]
    if (curve === undefined) throw new BuiltinError('unsupported curve')
    const digest = createHash(hash).update(data).digest()
    const options = { prehash: false, lowS: false, format: 'compact' } as const
    return Buffer.from(curve.sign(digest, member('d'), options))
  }
  const key = createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' })
  if (kind === 'PS') return signPss(hash, key, data, random)
  return sign(kind === 'RS' ? hash : null, data, key)
}
