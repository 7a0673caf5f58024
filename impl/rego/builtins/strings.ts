import { BuiltinError } from '../errors.ts'
import { compareStrings } from '../values/compare.ts'
import type { Value } from '../values/value.ts'
import { isArray, isSet } from '../values/value.ts'
import { wellFormed } from '../values/wellFormed.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import {
  asInt,
  asNumber,
  asObject,
  asString,
  asStrings,
  operandError,
  wrongElement,
  wrongType,
} from './operands.ts'
import { find, findAll } from './search.ts'
import { codePoints, isFlat, lower, slicePoints, upper } from './text.ts'
import { arrayOf, BOOLEAN, NUMBER, objectOf, STRING, setOf, type Type, union } from './types.ts'

/** Charges work on `length` units of text, and as much memory for the result. */
function claim(ctx: BuiltinContext, length: number): void {
  ctx.meter.charge(1 + length / 16)
  ctx.meter.allocate(2 * length)
}

const unary = (name: string, result: Type, apply: (text: string) => Value): Builtin => ({
  name,
  args: [STRING],
  result,
  call: (ctx, a: Value) => {
    const text = asString(a, 1)
    claim(ctx, text.length)
    return apply(text)
  },
})

const binary = (
  name: string,
  result: Type,
  apply: (a: string, b: string, ctx: BuiltinContext) => Value,
): Builtin => ({
  name,
  args: [STRING, STRING],
  result,
  call: (ctx, a: Value, b: Value) => {
    const x = asString(a, 1)
    const y = asString(b, 2)
    ctx.meter.charge(1 + x.length / 32)
    return apply(x, y, ctx)
  },
})

function concat(ctx: BuiltinContext, a: Value, b: Value): Value {
  const delimiter = asString(a, 1)
  const parts = asStrings(b, 2)
  let length = delimiter.length * parts.length
  for (const part of parts) length += part.length
  claim(ctx, length + parts.length)
  return parts.join(delimiter)
}

const RADICES: readonly (number | bigint)[] = [2, 8, 10, 16]

function formatInt(ctx: BuiltinContext, a: Value, b: Value): Value {
  const number = asNumber(a, 1)
  const radix = asNumber(b, 2)
  if (!RADICES.includes(radix)) throw operandError(2, 'must be one of {2, 8, 10, 16}')
  const whole = typeof number === 'bigint' ? number : Math.trunc(number) + 0
  claim(ctx, 64)
  return whole.toString(Number(radix))
}

function notEmpty(part: string): void {
  if (part === '') throw new BuiltinError('empty search character')
}

function indexOf(text: string, part: string, ctx: BuiltinContext): Value {
  notEmpty(part)
  const at = find(ctx, text, part)
  return at < 1 ? at : codePoints(text.slice(0, at))
}

function indexOfAll(text: string, part: string, ctx: BuiltinContext): Value {
  notEmpty(part)
  const found = findAll(ctx, text, part, { overlapping: true })
  if (isFlat(text)) return found
  let counted = 0
  let from = 0
  return found.map((at) => {
    counted += codePoints(text.slice(from, at))
    from = at
    return counted
  })
}

/** Every code point as a separate string. */
function explode(ctx: BuiltinContext, text: string): string[] {
  ctx.meter.charge(text.length)
  ctx.meter.allocate(16 * text.length)
  return [...text]
}

/** Splits at the occurrences of a non-empty part. */
function pieces(ctx: BuiltinContext, text: string, part: string): string[] {
  const found = findAll(ctx, text, part)
  ctx.meter.allocate(32 * (found.length + 1))
  let from = 0
  const between = found.map((at) => {
    const piece = text.slice(from, at)
    from = at + part.length
    return piece
  })
  between.push(text.slice(from))
  return between
}

function split(text: string, delimiter: string, ctx: BuiltinContext): Value {
  if (delimiter === '') return explode(ctx, text)
  return pieces(ctx, text, delimiter)
}

/** Texts up to this length are searched natively, for any needle. */
const SMALL = 250

function replace(ctx: BuiltinContext, a: Value, b: Value, c: Value): Value {
  const text = asString(a, 1)
  const old = asString(b, 2)
  const by = asString(c, 3)
  if (text.length <= SMALL && old !== '') {
    // Two short texts: the native search is fast.
    ctx.meter.charge(1 + text.length / 8)
    let at = text.indexOf(old)
    if (at < 0) return text
    let out = ''
    let from = 0
    for (; at >= 0; at = text.indexOf(old, from)) {
      claim(ctx, at - from + by.length)
      out += text.slice(from, at) + by
      from = at + old.length
    }
    return out + text.slice(from)
  }
  if (old === '') {
    const chars = explode(ctx, text)
    claim(ctx, text.length + (chars.length + 1) * by.length)
    return by + chars.map((char) => char + by).join('')
  }
  const parts = pieces(ctx, text, old)
  if (parts.length === 1) return text
  claim(ctx, text.length + (parts.length - 1) * (by.length - old.length))
  return parts.join(by)
}

/** At each position replaces the first matching pattern in order. */
function replaceN(ctx: BuiltinContext, a: Value, b: Value): Value {
  const patterns: [string, string][] = []
  for (const [key, value] of asObject(a, 1).entries()) {
    if (typeof key !== 'string') throw operandError(1, 'non-string key found in pattern object')
    if (typeof value !== 'string') throw operandError(1, 'non-string value found in pattern object')
    patterns.push([key, value])
  }
  const text = asString(b, 2)
  const length = patterns.reduce((sum, [old]) => sum + old.length, 0)
  const out: string[] = []
  let from = 0
  // After the empty pattern, another one is looked for at the same place, as in Go.
  let isAfterEmpty = false
  for (let at = 0; at <= text.length; ) {
    ctx.meter.charge(1 + patterns.length / 8 + length / 64)
    const fit = patterns.find(([old]) => (old !== '' || !isAfterEmpty) && text.startsWith(old, at))
    isAfterEmpty = fit?.[0] === ''
    if (fit === undefined) {
      at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
      continue
    }
    claim(ctx, fit[1].length)
    out.push(text.slice(from, at), fit[1])
    at += fit[0].length
    from = at
  }
  claim(ctx, text.length)
  out.push(text.slice(from))
  return out.join('')
}

function substring(ctx: BuiltinContext, a: Value, b: Value, c: Value): Value {
  const text = asString(a, 1)
  const [offset, length] = [asInt(b, 2, ctx), asInt(c, 3, ctx)]
  if (offset < 0) throw new BuiltinError('negative offset')
  claim(ctx, text.length)
  return slicePoints(wellFormed(text), offset, length < 0 ? text.length : offset + length)
}

function trimStart(text: string, cutset: string): string {
  const chars = new Set(cutset)
  let from = 0
  for (const char of text) {
    if (!chars.has(char)) break
    from += char.length
  }
  return text.slice(from)
}

function trimEnd(text: string, cutset: string): string {
  const chars = new Set(cutset)
  let to = text.length
  while (to > 0) {
    const low = text.charCodeAt(to - 1)
    const pair = low >= 0xdc00 && low < 0xe000 && (text.codePointAt(to - 2) ?? 0) > 0xffff
    const size = pair ? 2 : 1
    if (!chars.has(text.slice(to - size, to))) break
    to -= size
  }
  return text.slice(0, to)
}

// Go's whitespace: without U+FEFF, with U+0085.
const SPACE_START = /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/
const SPACE_CHAR = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/

function trimSpace(text: string): string {
  const rest = text.replace(SPACE_START, '')
  let to = rest.length
  while (to > 0 && SPACE_CHAR.test(rest[to - 1] as string)) to--
  return rest.slice(0, to)
}

function someStrings(value: Value, position: number): readonly string[] {
  if (typeof value === 'string') return [value]
  if (!isArray(value) && !isSet(value)) throw wrongType(position, value, 'string', 'set', 'array')
  for (const item of isArray(value) ? value : value.values()) {
    if (typeof item !== 'string') throw wrongElement(position, value, item, 'string')
  }
  return asStrings(value, position)
}

/** Whether any of the strings begins (or ends) with any of the others. */
const anyMatch =
  (reversed: boolean) =>
  (ctx: BuiltinContext, a: Value, b: Value): Value => {
    const texts = someStrings(a, 1)
    const affixes = [...someStrings(b, 2)].sort(compareStrings)
    const length = affixes.reduce((sum, affix) => sum + affix.length, 0)
    ctx.meter.charge(affixes.length)
    return texts.some((text) => {
      ctx.meter.charge(1 + affixes.length / 4 + length / 64)
      return affixes.some((affix) => (reversed ? text.endsWith(affix) : text.startsWith(affix)))
    })
  }

const STRINGS = union(arrayOf(STRING), setOf(STRING))
const SOME = union(STRING, arrayOf(STRING), setOf(STRING))

export const stringBuiltins: readonly Builtin[] = [
  { name: 'concat', args: [STRING, STRINGS], result: STRING, call: concat },
  { name: 'format_int', args: [NUMBER, NUMBER], result: STRING, call: formatInt },
  binary('contains', BOOLEAN, (a, b, ctx) => find(ctx, a, b) >= 0),
  binary('startswith', BOOLEAN, (a, b) => a.startsWith(b)),
  binary('endswith', BOOLEAN, (a, b) => a.endsWith(b)),
  binary('indexof', NUMBER, indexOf),
  binary('indexof_n', arrayOf(NUMBER), indexOfAll),
  unary('lower', STRING, lower),
  unary('upper', STRING, upper),
  binary('split', arrayOf(STRING), split),
  { name: 'replace', args: [STRING, STRING, STRING], result: STRING, call: replace },
  {
    name: 'strings.replace_n',
    args: [objectOf(STRING, STRING), STRING],
    result: STRING,
    call: replaceN,
  },
  {
    name: 'substring',
    args: [STRING, NUMBER, NUMBER],
    result: STRING,
    keepsWritten: [1, 2],
    call: substring,
  },
  binary('trim', STRING, (a, b) => trimEnd(trimStart(a, b), b)),
  binary('trim_left', STRING, trimStart),
  binary('trim_right', STRING, trimEnd),
  binary('trim_prefix', STRING, (a, b) => (a.startsWith(b) ? a.slice(b.length) : a)),
  binary('trim_suffix', STRING, (a, b) =>
    b !== '' && a.endsWith(b) ? a.slice(0, a.length - b.length) : a,
  ),
  unary('trim_space', STRING, trimSpace),
  { name: 'strings.any_prefix_match', args: [SOME, SOME], result: BOOLEAN, call: anyMatch(false) },
  { name: 'strings.any_suffix_match', args: [SOME, SOME], result: BOOLEAN, call: anyMatch(true) },
  binary('strings.count', NUMBER, (a, b, ctx) =>
    b === '' ? codePoints(a) + 1 : findAll(ctx, a, b).length,
  ),
  unary('strings.reverse', STRING, (text) =>
    (isFlat(text) ? text.split('') : [...text]).reverse().join(''),
  ),
]
