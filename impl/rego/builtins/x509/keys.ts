import { createPrivateKey, type KeyObject } from 'node:crypto'
import { BuiltinError } from '../../errors.ts'
import { fromBigInt } from '../../values/number.ts'
import { RegoObject } from '../../values/object.ts'
import type { Value } from '../../values/value.ts'
import { struct } from './struct.ts'

const TYPES = ['RSA PRIVATE KEY', 'PRIVATE KEY', 'EC PRIVATE KEY']

/** The private key of a PEM block; undefined if it contains none. */
export function privateKey(label: string, der: Buffer): KeyObject | undefined {
  if (!TYPES.includes(label)) return undefined
  const type = label === 'PRIVATE KEY' ? 'pkcs8' : label === 'EC PRIVATE KEY' ? 'sec1' : 'pkcs1'
  const key = keyOf(der, type)
  // Omits the library's message, which could reveal parts of the key.
  if (key === undefined) throw new BuiltinError(`failed to parse the ${label.toLowerCase()}`)
  checkConsistent(key)
  return key
}

function keyOf(der: Buffer, type: (typeof FORMS)[number]): KeyObject | undefined {
  try {
    return createPrivateKey({ key: der, format: 'der', type })
  } catch {
    return undefined
  }
}

/**
 * Checks that the numbers of an RSA key belong together: OpenSSL reads any.
 *
 * @throws BuiltinError
 */
function checkConsistent(key: KeyObject): void {
  if (key.asymmetricKeyType !== 'rsa') return
  const jwk = key.export({ format: 'jwk' })
  const [n, e, d, p, q] = [jwk.n, jwk.e, jwk.d, jwk.p, jwk.q].map(integer) as [
    bigint,
    bigint,
    bigint,
    bigint,
    bigint,
  ]
  if (p <= 1n || q <= 1n) throw new BuiltinError('crypto/rsa: invalid prime value')
  if (p * q !== n) throw new BuiltinError('crypto/rsa: p * q != n')
  const isInverse = (prime: bigint): boolean => (d * e - 1n) % (prime - 1n) === 0n
  if (!isInverse(p) || !isInverse(q)) throw new BuiltinError('crypto/rsa: invalid exponents')
}

const FORMS = ['pkcs1', 'pkcs8', 'sec1'] as const

/**
 * The private key of DER in any of the three forms.
 *
 * @throws BuiltinError
 */
export function anyPrivateKey(der: Buffer): KeyObject {
  for (const type of FORMS) {
    const key = keyOf(der, type)
    if (key === undefined) continue
    checkConsistent(key)
    return key
  }
  throw new BuiltinError('tls: failed to parse private key')
}

const integer = (text: string | undefined): bigint =>
  BigInt(`0x${Buffer.from(text ?? '', 'base64url').toString('hex') || '0'}`)

const number = (text: string | undefined): Value => fromBigInt(integer(text))

/** A private key in the JSON form of Go's structure. */
export function keyValue(key: KeyObject): Value {
  const jwk = key.export({ format: 'jwk' })
  if (jwk.kty === 'RSA') {
    return struct({
      N: number(jwk.n),
      E: number(jwk.e),
      D: number(jwk.d),
      Primes: [number(jwk.p), number(jwk.q)],
      Precomputed: struct({
        Dp: number(jwk.dp),
        Dq: number(jwk.dq),
        Qinv: number(jwk.qi),
        CRTValues: [],
      }),
    })
  }
  if (jwk.kty === 'EC') {
    return struct({ Curve: new RegoObject(), X: number(jwk.x), Y: number(jwk.y), D: number(jwk.d) })
  }
  const both = Buffer.concat([jwk.d, jwk.x].map((part) => Buffer.from(part ?? '', 'base64url')))
  return both.toString('base64')
}

/** An RSA private key as a JSON Web Key; of keys of other types only the type, as in OPA. */
export function jwkValue(key: KeyObject): Value {
  const jwk = key.export({ format: 'jwk' })
  const members = key.asymmetricKeyType === 'rsa' ? jwk : { kty: jwk.kty }
  return RegoObject.from(Object.entries(members) as [string, string][])
}
