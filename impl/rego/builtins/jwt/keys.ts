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

/** A block of a PEM text, and where the rest of the text begins. */
export type PemBlock = { readonly label: string; readonly der: Buffer; readonly end: number }

/**
 * The first block of a PEM text from an offset on. Skips blocks without an end and those that are not base64, as Go
 * does. The time is that of one walk over the text, however many of those there are.
 */
export function pemBlock(text: string, from = 0): PemBlock | undefined {
  let end = -1
  for (let at = beginAt(text, from); at >= 0; at = beginAt(text, at + BEGIN.length)) {
    const start = text.indexOf('\n', at)
    if (end < start) end = text.indexOf('\n-----END ', start)
    // Neither has a later block one.
    if (start < 0 || end < 0) return undefined
    const next = beginAt(text, start)
    // What contains the begin of another one is not base64.
    if (next >= 0 && next < end) continue
    const label = /^-----BEGIN ([A-Z0-9 ]+)-----\s*$/.exec(text.slice(at, start))?.[1]
    const tail = /^\n-----END ([A-Z0-9 ]+)-----[ \t\r]*(?:\n|$)/.exec(text.slice(end, end + 100))
    if (label === undefined || tail?.[1] !== label) continue
    const base64 = text.slice(start, end).replace(/\s/g, '')
    if (!BASE64.test(base64)) continue
    return { label, der: Buffer.from(base64, 'base64'), end: end + tail[0].length }
  }
  return undefined
}

/** Where a line begins a block; -1 if none does. */
function beginAt(text: string, from: number): number {
  if (from === 0 && text.startsWith(BEGIN)) return 0
  const before = text.indexOf(`\n${BEGIN}`, Math.max(from - 1, 0))
  return before < 0 ? -1 : before + 1
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
  // An algorithm that is not a string is that of no token.
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
    if (block.end < text.length) throw new BuiltinError('extra data after a PEM certificate block')
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
