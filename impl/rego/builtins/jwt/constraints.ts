import { BuiltinError } from '../../errors.ts'
import { isNumber, type Value } from '../../values/value.ts'
import type { BuiltinContext } from '../builtin.ts'
import { bytesIn } from '../bytes.ts'
import { asObject } from '../operands.ts'
import { algorithmOf, isSigned } from './algorithms.ts'
import { type VerifyKey, verifyKeys } from './keys.ts'
import { section, type Token } from './token.ts'

/** Constraints of `io.jwt.decode_verify`. */
export type Constraints = {
  readonly keys: readonly VerifyKey[] | undefined
  readonly secret: Buffer | undefined
  readonly alg: string
  readonly iss: string
  readonly aud: string
  /** Nanoseconds; possibly a fraction. */
  readonly time: number
}

const NAMES = ['cert', 'secret', 'alg', 'iss', 'aud', 'time']

/** @throws BuiltinError for an unknown constraint, or unless there is exactly one key */
export function parseConstraints(ctx: BuiltinContext, value: Value): Constraints {
  const object = asObject(value, 2)
  for (const key of object.keys()) {
    if (typeof key !== 'string' || !NAMES.includes(key)) {
      throw new BuiltinError(`unknown token validation constraint: ${String(key)}`)
    }
  }
  const text = (name: string): string | undefined => {
    const given = object.get(name)
    if (given !== undefined && typeof given !== 'string') {
      throw new BuiltinError(`${name} constraint must be a string`)
    }
    return given
  }
  const [cert, secret, time] = [text('cert'), text('secret'), object.get('time')]
  if (time !== undefined && !isNumber(time)) {
    throw new BuiltinError('token time constraint: operand must be number')
  }
  if (cert !== undefined && secret !== undefined)
    throw new BuiltinError('duplicate key constraints')
  if (cert === undefined && secret === undefined) throw new BuiltinError('no key constraint')
  return {
    keys: cert === undefined ? undefined : verifyKeys(cert),
    secret: secret === undefined ? undefined : Buffer.from(bytesIn(secret)),
    alg: text('alg') ?? '',
    iss: text('iss') ?? '',
    aud: text('aud') ?? '',
    time: Number(time ?? ctx.nowNs),
  }
}

/** Whether one of the keys has signed the token: the key with its id, or any matching one. */
export function isSignedByAny(
  keys: readonly VerifyKey[],
  token: Token,
  alg: string,
  signature: Buffer,
): boolean {
  const algorithm = algorithmOf(alg)
  if (algorithm === undefined) return false
  const kid = token.header.get('kid')
  const named = keys.find((key) => key.kid !== undefined && key.kid === kid)
  const candidates = named === undefined ? keys : [named]
  return candidates.some(
    ({ key, alg: own }) =>
      (named !== undefined || own === undefined || own === alg) &&
      isSigned(algorithm, key, token.signed, signature),
  )
}

/**
 * Whether the signature is valid under the constraints' key.
 *
 * @throws BuiltinError for an unknown algorithm, or one that does not work with a secret
 */
export function holds(constraints: Constraints, token: Token, alg: string): boolean {
  const algorithm = algorithmOf(alg)
  const signature = section(token.signature, 'JWT signature')
  if (algorithm === undefined) throw new BuiltinError(`unknown JWS algorithm: ${alg}`)
  if (constraints.keys !== undefined) return isSignedByAny(constraints.keys, token, alg, signature)
  if (algorithm.kind !== 'HS') throw new BuiltinError('incorrect public key type')
  return isSigned(algorithm, constraints.secret ?? Buffer.alloc(0), token.signed, signature)
}
