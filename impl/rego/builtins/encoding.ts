import { ofHex, toBase64, toHex } from '#platform'
import { BuiltinError } from '../errors.ts'
import { compareStrings } from '../values/compare.ts'
import { jsonEntries } from '../values/json.ts'
import { RegoObject } from '../values/object.ts'
import { isArray, isSet, type Value } from '../values/value.ts'
import { decodeBase64 } from './base64.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'

import { bytesIn, joined, textOf } from './bytes.ts'
import { asObject, asString, operandError } from './operands.ts'

import { arrayOf, BOOLEAN, objectOf, STRING, setOf, union } from './types.ts'

/** A function from string to string, charged by length. */
const textual = (name: string, apply: (text: string) => string): Builtin => ({
  name,
  args: [STRING],
  result: STRING,
  call: (ctx, a: Value) => {
    const text = asString(a, 1)
    ctx.meter.charge(text.length / 8)
    ctx.meter.allocate(text.length * 6)
    return apply(text)
  },
})

function isBase64(_: BuiltinContext, a: Value): Value {
  if (typeof a !== 'string') return false
  try {
    decodeBase64(a)
    return true
  } catch {
    return false
  }
}

/** Padding is optional, as in JOSE. */
function decodeUrl(text: string): string {
  if (text.endsWith('=')) return textOf(decodeBase64(text, { url: true }))
  if (text.length % 4 === 1) throw new BuiltinError(`illegal base64url string: ${text}`)
  return textOf(decodeBase64(text, { url: true, padded: false }))
}

function decodeHex(text: string): string {
  const at = text.search(/[^0-9a-fA-F]/)
  if (at >= 0) {
    // Go names the first byte of the character.
    const byte = bytesIn(text.slice(at, at + 2))[0] as number
    const code = byte.toString(16).toUpperCase().padStart(4, '0')
    throw new BuiltinError(`encoding/hex: invalid byte: U+${code} '${String.fromCharCode(byte)}'`)
  }
  if (text.length % 2 === 1) throw new BuiltinError('encoding/hex: odd length hex string')
  return textOf(ofHex(text))
}

/** Go's query escaping: all but letters, digits and `-_.~` are escaped, a space is `+`. */
function escapeQuery(text: string): string {
  let escaped = ''
  for (const byte of bytesIn(text)) {
    const char = String.fromCharCode(byte)
    if (/[A-Za-z0-9_.~-]/.test(char)) escaped += char
    else escaped += byte === 32 ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return escaped
}

function unescapeQuery(text: string): string {
  const bad = /%(?![0-9a-fA-F]{2}).{0,2}/su.exec(text)
  if (bad !== null) throw new BuiltinError(`invalid URL escape ${JSON.stringify(bad[0])}`)
  if (!text.includes('%')) return text.replaceAll('+', ' ')
  const parts = text
    .replaceAll('+', ' ')
    .split(/(%[0-9a-fA-F]{2})/)
    .map((part, i) => (i % 2 === 1 ? ofHex(part.slice(1)) : bytesIn(part)))
  return textOf(joined(parts))
}

function encodeObject(ctx: BuiltinContext, a: Value): Value {
  const pairs: string[] = []
  const object = asObject(a, 1)
  if (ctx.dialect !== 'opa-1.2' && object.keys().some((key) => typeof key !== 'string')) {
    throw operandError(1, 'must be object with string keys')
  }
  for (const [key, value] of jsonEntries(object)) {
    const values =
      typeof value === 'string'
        ? [value]
        : isArray(value)
          ? value
          : isSet(value)
            ? value.values()
            : [value]
    for (const item of values) {
      if (typeof item !== 'string') {
        throw operandError(1, 'values must be string, array[string], or set[string]')
      }
      ctx.meter.charge((key.length + item.length) / 8 + 1)
      ctx.meter.allocate((key.length + item.length) * 6)
      pairs.push(`${escapeQuery(key)}=${escapeQuery(item)}`)
    }
  }
  return pairs.join('&')
}

/** A pair is two texts, an array and members of two maps. */
const PAIR_BYTES = 250
const PAIR_UNITS = 40

function decodeObject(ctx: BuiltinContext, a: Value): Value {
  const text = asString(a, 1)
  ctx.meter.charge(text.length)
  ctx.meter.allocate(text.length * 4)
  const found = new Map<string, string[]>()
  for (let at = 0, end = 0; end < text.length; at = end + 1) {
    end = text.indexOf('&', at)
    if (end < 0) end = text.length
    const pair = text.slice(at, end)
    if (pair.includes(';')) throw new BuiltinError('invalid semicolon separator in query')
    if (pair === '') continue
    ctx.meter.charge(PAIR_UNITS)
    ctx.meter.allocate(PAIR_BYTES)
    const [key = '', ...rest] = pair.split('=')
    const name = unescapeQuery(key)
    const values = found.get(name) ?? []
    values.push(unescapeQuery(rest.join('=')))
    found.set(name, values)
  }
  return RegoObject.from([...found].sort(([x], [y]) => compareStrings(x, y)))
}

const QUERY = objectOf(STRING, union(STRING, arrayOf(STRING), setOf(STRING)))

export const encodingBuiltins: readonly Builtin[] = [
  textual('base64.encode', (text) => toBase64(bytesIn(text))),
  textual('base64.decode', (text) => textOf(decodeBase64(text))),
  { name: 'base64.is_valid', args: [STRING], result: BOOLEAN, call: isBase64 },
  textual('base64url.encode', (text) => {
    const bare = toBase64(bytesIn(text), true)
    return bare.padEnd(Math.ceil(bare.length / 4) * 4, '=')
  }),
  textual('base64url.encode_no_pad', (text) => toBase64(bytesIn(text), true)),
  textual('base64url.decode', decodeUrl),
  textual('hex.encode', (text) => toHex(bytesIn(text))),
  textual('hex.decode', decodeHex),
  textual('urlquery.encode', escapeQuery),
  textual('urlquery.decode', unescapeQuery),
  { name: 'urlquery.encode_object', args: [QUERY], result: STRING, call: encodeObject },
  {
    name: 'urlquery.decode_object',
    args: [STRING],
    result: objectOf(STRING, arrayOf(STRING)),
    call: decodeObject,
  },
]
