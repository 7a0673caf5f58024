import { toBase64 } from '#platform'
import { BuiltinError } from '../errors.ts'
import { stringify, toJson } from '../values/json.ts'
import { RegoObject } from '../values/object.ts'
import { isArray, isNumber, isObject, type ObjectValue, type Value } from '../values/value.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { bytesIn } from './bytes.ts'
import { chargeText, readJson } from './json.ts'
import { algorithmOf, isSigned, signWith } from './jwt/algorithms.ts'
import { type Constraints, holds, isSignedByAny, parseConstraints } from './jwt/constraints.ts'
import { verifyKeys } from './jwt/keys.ts'
import { invalidInHeader, invalidInKey } from './jwt/members.ts'
import {
  nestedIn,
  parseToken,
  payloadOf,
  payloadText,
  section,
  splitToken,
  type Token,
  withHeader,
} from './jwt/token.ts'
import { asString } from './operands.ts'
import { ANY, ANY_OBJECT, BOOLEAN, objectOf, STRING, tuple } from './types.ts'

/** Cost of verifying or creating one signature. */
const SIGNATURE_UNITS = 2_000

/** Maximum nesting of tokens. */
const MAX_NESTED = 16

function decode(ctx: BuiltinContext, a: Value, depth = 0): Value {
  const token = parseToken(ctx, asString(a, 1))
  const payload = payloadText(token)
  const nested = nestedIn(token, payload)
  if (nested !== undefined) {
    if (depth >= MAX_NESTED) throw new BuiltinError('JWT is nested too deeply')
    return decode(ctx, nested, depth + 1)
  }
  const signature = section(token.signature, 'JWT signature')
  return [token.header, payloadOf(ctx, payload), signature.toString('hex')]
}

const verifyAsymmetric =
  (alg: string) =>
  (ctx: BuiltinContext, a: Value, b: Value): Value => {
    ctx.meter.charge(SIGNATURE_UNITS)
    // In the order of OPA, which decides about the error.
    const parts = splitToken(ctx, asString(a, 1))
    const keys = verifyKeys(asString(b, 2))
    const signature = section(parts.signature)
    return isSignedByAny(keys, withHeader(ctx, parts), alg, signature)
  }

const verifyHmac =
  (alg: string) =>
  (ctx: BuiltinContext, a: Value, b: Value): Value => {
    const [text, secret] = [asString(a, 1), Buffer.from(bytesIn(asString(b, 2)))]
    const { signed, signature } = splitToken(ctx, text)
    const algorithm = algorithmOf(alg)
    return algorithm !== undefined && isSigned(algorithm, secret, signed, section(signature))
  }

function text(object: ObjectValue, name: string): string {
  const value = object.get(name)
  return typeof value === 'string' ? value : ''
}

const KNOWN_HEADERS = ['alg', 'kid', 'typ', 'cty', 'crit']

/** Checks that the header has an algorithm and no unsupported critical extension. */
function isHeaderValid(header: ObjectValue): boolean {
  const critical = header.get('crit')
  const names = critical !== undefined && isArray(critical) ? critical : []
  return text(header, 'alg') !== '' && names.every((name) => KNOWN_HEADERS.includes(String(name)))
}

const isAudience = (aud: Value, wanted: string): boolean =>
  typeof aud === 'string' ? aud === wanted : isArray(aud) && aud.includes(wanted)

/** Whether issuer, audience and times of a payload match the constraints. */
function isPayloadValid(payload: ObjectValue, constraints: Constraints): boolean {
  const [iss, aud] = [payload.get('iss'), payload.get('aud')]
  if (constraints.iss !== '' && iss !== constraints.iss) return false
  if (aud === undefined ? constraints.aud !== '' : !isAudience(aud, constraints.aud)) return false
  const seconds = constraints.time / 1e9
  const [exp, nbf] = [payload.get('exp'), payload.get('nbf')]
  if (exp !== undefined && !isNumber(exp)) throw new BuiltinError('exp value must be a number')
  if (exp !== undefined && seconds >= exp) return false
  if (nbf !== undefined && !isNumber(nbf)) throw new BuiltinError('nbf value must be a number')
  return nbf === undefined || seconds >= nbf
}

function decodeVerify(ctx: BuiltinContext, a: Value, b: Value): Value {
  ctx.meter.charge(SIGNATURE_UNITS)
  const refused: Value = [false, new RegoObject(), new RegoObject()]
  const constraints = parseConstraints(ctx, b)
  let encoded = asString(a, 1)
  for (let depth = 0; depth <= MAX_NESTED; depth++) {
    const token: Token = parseToken(ctx, encoded)
    const alg = text(token.header, 'alg')
    if (!isHeaderValid(token.header)) return refused
    if (constraints.alg !== '' && constraints.alg !== alg) return refused
    if (!holds(constraints, token, alg)) return refused
    const payload = payloadText(token)
    const nested = nestedIn(token, payload)
    if (nested === undefined) {
      const claims = payloadOf(ctx, payload)
      return isPayloadValid(claims, constraints) ? [true, token.header, claims] : refused
    }
    encoded = nested
  }
  throw new BuiltinError('JWT is nested too deeply')
}

const headerProblem = (why: string): BuiltinError =>
  new BuiltinError(`missing or invalid 'alg' header: ${why}`)

function signRaw(ctx: BuiltinContext, a: Value, b: Value, c: Value): Value {
  const [head, payload, key] = [asString(a, 1), asString(b, 2), asString(c, 3)]
  ctx.meter.charge(SIGNATURE_UNITS + payload.length / 8)
  ctx.meter.allocate(4 * (head.length + payload.length))
  if (head === '') throw headerProblem('cannot parse JSON: cannot parse empty string')
  const header = readJson(ctx, head)
  if (!isObject(header)) throw headerProblem('header is not a JSON object')
  const alg = header.get('alg')
  if (alg === undefined) throw headerProblem('jwsbb: header "alg" not found')
  const algorithm = algorithmOf(String(alg))
  if (algorithm === undefined) throw new BuiltinError(`unknown JWS algorithm: ${String(alg)}`)
  if (['JWT', '', undefined].includes(header.get('typ') as string | undefined)) {
    try {
      readJson(ctx, payload)
    } catch (error) {
      if (!(error instanceof BuiltinError)) throw error
      throw new BuiltinError('type is JWT but payload is not JSON')
    }
  }
  const wrong = invalidInHeader(toJson(header) as Record<string, unknown>)
  if (wrong !== undefined) {
    throw new BuiltinError(`failed to parse the JWS header: invalid ${wrong}`)
  }
  const signed = [head, payload].map((part) => toBase64(bytesIn(part), true)).join('.')
  try {
    const jwk: unknown = JSON.parse(key)
    if (typeof jwk !== 'object' || jwk === null) throw new BuiltinError('failed to parse a JWK key')
    const wrong = invalidInKey(jwk as Record<string, unknown>)
    if (wrong !== undefined) throw new BuiltinError(`failed to parse a JWK key: invalid ${wrong}`)
    const signature = signWith(algorithm, jwk as Record<string, unknown>, signed, ctx.random)
    return `${signed}.${signature.toString('base64url')}`
  } catch (error) {
    if (error instanceof BuiltinError) throw error
    // The library's message could contain parts of the key.
    throw new BuiltinError('failed to sign: the key is not usable')
  }
}

/** As OPA: the payload may be any value, and a header or key that is not an object cannot be used. */
function signValues(ctx: BuiltinContext, ...parts: readonly Value[]): Value {
  for (const part of parts) chargeText(ctx, part)
  const [header = '', payload = '', key = ''] = parts.map((part) => stringify(part))
  return signRaw(ctx, header, payload, key)
}

const verifier = (alg: string): Builtin => ({
  name: `io.jwt.verify_${alg.toLowerCase()}`,
  args: [STRING, STRING],
  result: BOOLEAN,
  call: alg.startsWith('HS') ? verifyHmac(alg) : verifyAsymmetric(alg),
})

const SIZES = ['256', '384', '512']
const ALGORITHMS = ['RS', 'PS', 'ES', 'HS'].flatMap((kind) => SIZES.map((size) => kind + size))
const JSON_OBJECT = objectOf(STRING, ANY)

export const jwtBuiltins: readonly Builtin[] = [
  ...ALGORITHMS.map(verifier),
  verifier('EdDSA'),
  {
    name: 'io.jwt.decode',
    args: [STRING],
    result: tuple(ANY_OBJECT, ANY_OBJECT, STRING),
    call: (ctx, a: Value) => decode(ctx, a),
  },
  {
    name: 'io.jwt.decode_verify',
    args: [STRING, JSON_OBJECT],
    result: tuple(BOOLEAN, ANY_OBJECT, ANY_OBJECT),
    nondeterministic: true,
    call: decodeVerify,
  },
  {
    name: 'io.jwt.encode_sign_raw',
    args: [STRING, STRING, STRING],
    result: STRING,
    nondeterministic: true,
    call: signRaw,
  },
  {
    name: 'io.jwt.encode_sign',
    args: [JSON_OBJECT, JSON_OBJECT, JSON_OBJECT],
    result: STRING,
    nondeterministic: true,
    call: signValues,
  },
]
