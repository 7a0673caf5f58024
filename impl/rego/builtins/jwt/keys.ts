import { createPublicKey, type JsonWebKey, type KeyObject, X509Certificate } from 'node:crypto'
import { BuiltinError } from '../../errors.ts'
import { goJsonError } from '../goJson.ts'
import { invalidInKey } from './members.ts'

/** A verification key with its metadata in the key set. */
export type VerifyKey = {
  readonly key: KeyObject | Buffer
  readonly kid: string | undefined
  readonly alg: string | undefined
}

const BEGIN = '-----BEGIN '
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * The first block of a PEM text and the remaining text. Skips blocks without an end and those that are
 * not base64, as Go does.
 */
export function pemBlock(
  text: string,
): { readonly label: string; readonly der: Buffer; readonly rest: string } | undefined {
  const lines = text.startsWith(BEGIN) ? `\n${text}` : text
  for (let at = lines.indexOf(`\n${BEGIN}`); at >= 0; at = lines.indexOf(`\n${BEGIN}`, at + 1)) {
    const start = lines.indexOf('\n', at + 1)
    const end = lines.indexOf('\n-----END ', start)
    // Neither has a later block one.
    if (start < 0 || end < 0) return undefined
    const label = /^-----BEGIN ([A-Z0-9 ]+)-----\s*$/.exec(lines.slice(at + 1, start))?.[1]
    const tail = /^\n-----END ([A-Z0-9 ]+)-----[ \t\r]*(?:\n|$)/.exec(lines.slice(end, end + 100))
    const base64 = lines.slice(start, end).replace(/\s/g, '')
    if (label === undefined || tail?.[1] !== label || !BASE64.test(base64)) continue
    const rest = lines.slice(end + tail[0].length)
    return { label, der: Buffer.from(base64, 'base64'), rest }
  }
  return undefined
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
  const wrong = invalidInKey(jwk)
  if (wrong !== undefined) throw new Error(`invalid ${wrong}`)
  const text = (name: string): string | undefined => {
    const value = jwk[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const key =
    jwk.kty === 'oct'
      ? Buffer.from(text('k') ?? '', 'base64url')
      : createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
  const { alg } = jwk
  const isOther = alg !== undefined && alg !== null && typeof alg !== 'string'
  // An algorithm that is no text is that of no token.
  return { key, kid: text('kid'), alg: isOther ? JSON.stringify(alg) : text('alg') }
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
    const json = keySet(text)
    const keys = isRecord(json) && Array.isArray(json.keys) ? json.keys : [json]
    if (keys.length > 100) throw new Error('more than 100 keys')
    return keys.map(ofJwk)
  } catch (error) {
    throw new BuiltinError(`failed to parse a JWK key (set): ${reason(error)}`)
  }
}

const KINDS = ['RSA', 'EC', 'OKP', 'oct']

/** The JSON of a key or key set, with Go's words for what is none. */
function keySet(text: string): unknown {
  const bad = goJsonError(text, { token: false })
  if (bad !== undefined) {
    const why = /^(?:unexpected )?EOF$/.test(bad) ? 'unexpected end of JSON input' : bad
    throw new Error(`failed to unmarshal JWK Set: ${why}`)
  }
  const json: unknown = JSON.parse(text)
  if (json !== null && !isRecord(json)) {
    const kind = Array.isArray(json) ? 'array' : typeof json === 'boolean' ? 'bool' : typeof json
    const why = `cannot unmarshal ${kind} into Go value of type jwk.RawKeySetJSON`
    throw new Error(`failed to unmarshal JWK Set: json: ${why}`)
  }
  const isUnknown = !Array.isArray(json?.keys) && !KINDS.includes(String(json?.kty))
  if (isUnknown) throw new Error('failed to generate key: unrecognized key type')
  return json
}
