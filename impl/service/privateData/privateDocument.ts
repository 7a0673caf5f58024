import { stringify } from 'polgate-rego/values/json.ts'
import { RegoObject } from 'polgate-rego/values/object.ts'
import { parseJson } from 'polgate-rego/values/parseJson.ts'
import { isObject, type ObjectValue } from 'polgate-rego/values/value.ts'
import { privateDataFailed } from '../operators/operatorErrors.ts'
import type { OpeningPlan, PlannedOpening } from './openingPlan.ts'

/** Largest plaintexts, bytes. */
const maxBytes = { identity: 64 * 1024, confidential: 1024 * 1024, ephemeral: 64 * 1024 } as const

/**
 * The document with all private data of a task, as UTF-8 JSON: what the evaluator reads. Plaintexts
 * are copied byte by byte, after a check that each is one JSON value, so that no plaintext can add
 * members to another one's. The caller wipes plaintexts and document.
 *
 * @param plaintexts in the order of `openingsOf`
 * @throws ServiceError for a plaintext of another form, without any of it
 */
export function privateDocument(plan: OpeningPlan, plaintexts: readonly Uint8Array[]): Uint8Array {
  const rest = [...plaintexts]
  const pieces: Uint8Array[] = []
  const write = (text: string) => void pieces.push(Buffer.from(text))
  /** @returns the next plaintext, checked */
  const next = (opening: PlannedOpening, what: string): Uint8Array => {
    const plaintext = rest.shift()
    if (plaintext === undefined) throw privateDataFailed(`${what} was not opened`, true)
    requireJson(plaintext, opening, what)
    return plaintext
  }

  const { identity, confidential, privacy } = plan
  const identities = (identity ?? []).map((opening) => next(opening, 'identity data'))
  write('{"identity":')
  const [only] = identities
  if (only === undefined) write('null')
  else pieces.push(identities.length === 1 ? only : merged(identities))

  write(',"confidential":{')
  for (const [at, [dataType, { granted, opening }]] of Object.entries(confidential).entries()) {
    const data = opening && next(opening, `confidential data of type ${dataType}`)
    write(`${at === 0 ? '' : ','}${JSON.stringify(dataType)}:{"granted":${granted},"data":`)
    if (data === null) write('null')
    else pieces.push(data)
    write('}')
  }

  write('},"privacy":{')
  for (const [at, [name, opening]] of Object.entries(privacy).entries()) {
    write(`${at === 0 ? '' : ','}${JSON.stringify(name)}:`)
    pieces.push(next(opening, `ephemeral data ${name}`))
  }
  write('}}')
  const document = joined(pieces)
  if (identities.length > 1) pieces[1]?.fill(0)
  return document
}

/** Not `Buffer.concat`, whose memory may be shared with other buffers. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const document = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0))
  let at = 0
  for (const piece of pieces) {
    document.set(piece, at)
    at += piece.length
  }
  return document
}

/** Ephemeral data may be any JSON value; registered data is an object. */
function requireJson(plaintext: Uint8Array, { grant: { kind } }: PlannedOpening, what: string) {
  if (plaintext.length > maxBytes[kind])
    throw privateDataFailed(`${what} is larger than ${maxBytes[kind]} bytes`, false)
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(plaintext))
  } catch {
    // The parser's message would contain part of it.
    throw privateDataFailed(`${what} is not JSON`, false)
  }
  if (kind === 'ephemeral') return
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw privateDataFailed(`${what} is not a JSON object`, false)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The members of all domains. A member that two of them have with different values is an error. */
function merged(identities: readonly Uint8Array[]): Uint8Array {
  const all = new RegoObject()
  const said = new Map<string, string>()
  for (const identity of identities) {
    objectOf(identity).forEach((key, value) => {
      const text = stringify(value)
      const name = stringify(key)
      if ((said.get(name) ?? text) !== text)
        throw privateDataFailed('two identity domains have different values for one member', false)
      said.set(name, text)
      all.set(key, value)
    })
  }
  return new TextEncoder().encode(stringify(all))
}

function objectOf(plaintext: Uint8Array): ObjectValue {
  let value: unknown
  try {
    value = parseJson(utf8.decode(plaintext), { written: true })
  } catch {
    // As above.
  }
  if (!isObject(value as ObjectValue)) throw privateDataFailed('identity data is not JSON', false)
  return value as ObjectValue
}
