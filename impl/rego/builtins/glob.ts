import type { RE2JS } from 're2js'
import type { Dialect } from '../compile/dialect.ts'
import { BuiltinError } from '../errors.ts'
import { isArray, type Value } from '../values/value.ts'
import { wellFormed } from '../values/wellFormed.ts'
import { type Builtin, type BuiltinContext, cached } from './builtin.ts'
import { asString, wrongElement, wrongType } from './operands.ts'
import { chargeRun, compileRegex } from './regex.ts'
import { arrayOf, BOOLEAN, NULL, STRING, union } from './types.ts'

const syntaxError = (what = 'syntax error in pattern'): BuiltinError => new BuiltinError(what)

const escapeChar = (char: string): string => char.replace(/[\\.+*?()|[\]{}^$-]/, '\\$&')

/**
 * Translates a glob to a regex: `*` and `?` stop at separators, `**` does not; `[abc]`, `[a-c]`,
 * `[!a]`, `{a,b}` and `\` as usual.
 */
function translate(glob: string, separators: readonly string[], dialect?: Dialect): string {
  if (wellFormed(glob) !== glob) throw syntaxError('could not read rune')
  const chars = [...glob]
  const single = separators.length === 0 ? '.' : `[^${separators.map(escapeChar).join('')}]`
  let at = 0
  let depth = 0
  let pattern = '(?s)^'
  const literal = (): string => {
    const char = chars[at++] ?? ''
    if (char !== '\\') return char
    const escaped = chars[at++]
    if (escaped === undefined) throw syntaxError()
    return escaped
  }
  const charClass = (): string => {
    const negated = chars[at] === '!'
    if (negated) at++
    let members = ''
    while (at < chars.length && chars[at] !== ']') {
      const low = literal()
      if (chars[at] === '-' && chars[at + 1] !== ']') {
        at++
        const high = literal()
        if (high === '' || (high.codePointAt(0) ?? 0) < (low.codePointAt(0) ?? 0))
          throw syntaxError()
        members += `${escapeChar(low)}-${escapeChar(high)}`
      } else members += escapeChar(low)
    }
    if (at >= chars.length || members === '') throw syntaxError()
    at++
    return `[${negated ? '^' : ''}${members}]`
  }
  /** The grammar of OPA: one range, or a list of characters. */
  const strictClass = (): string => {
    const ended = (): BuiltinError => syntaxError('unexpected end of input')
    const negated = chars[at] === '!'
    if (negated) at++
    const open = `[${negated ? '^' : ''}`
    if (chars[at] !== undefined && chars[at + 1] === '-') {
      const [low, high, close] = [chars[at], chars[at + 2], chars[at + 3]]
      if (low === undefined || high === undefined || close === undefined) throw ended()
      if (close !== ']') throw syntaxError('expected close range character')
      if ((high.codePointAt(0) ?? 0) < (low.codePointAt(0) ?? 0)) {
        throw syntaxError(`hi character '${high}' should be greater than lo '${low}'`)
      }
      at += 4
      return `${open}${escapeChar(low)}-${escapeChar(high)}]`
    }
    let members = ''
    while (at < chars.length && chars[at] !== ']') {
      if (chars[at] === '\\') at++
      members += escapeChar(chars[at++] ?? '')
    }
    if (at >= chars.length) throw ended()
    if (members === '') throw syntaxError('could not parse range')
    at++
    return `${open}${members}]`
  }
  while (at < chars.length) {
    const char = chars[at] as string
    if (char === '*') {
      const many = chars[at + 1] === '*'
      at += many ? 2 : 1
      while (many && chars[at] === '*') at++
      pattern += many ? '.*' : `${single}*`
      continue
    }
    if (char === '\\') {
      pattern += escapeChar(literal())
      continue
    }
    at++
    if (char === '?') pattern += single
    else if (char === '[') pattern += dialect === 'opa-1.2' ? strictClass() : charClass()
    else if (char === '{') {
      depth++
      pattern += '(?:'
    } else if (char === '}' && depth > 0) {
      depth--
      pattern += ')'
    } else if (char === ',' && depth > 0) pattern += '|'
    else pattern += escapeChar(char)
  }
  if (depth > 0) throw syntaxError()
  return `${pattern}$`
}

/** Null means no delimiters, an empty array means `.`. */
function delimitersOf(value: Value): readonly string[] {
  if (value === null) return []
  if (!isArray(value)) throw wrongType(2, value, 'array', 'null')
  for (const item of value) {
    if (typeof item !== 'string') throw wrongElement(2, value, item, 'string')
    if ([...item].length !== 1) throw wrongElement(2, value, item, 'rune')
  }
  return value.length === 0 ? ['.'] : (value as readonly string[])
}

function match(ctx: BuiltinContext, a: Value, b: Value, c: Value): Value {
  const pattern = asString(a, 1)
  const delimiters = delimitersOf(b)
  const text = asString(c, 3)
  const regex: RE2JS = cached(
    ctx,
    'glob',
    `${ctx.dialect ?? ''}${delimiters.length}${delimiters.join('')}/${pattern}`,
    () => {
      ctx.meter.charge(pattern.length)
      return compileRegex(ctx, translate(pattern, delimiters.map(wellFormed), ctx.dialect))
    },
  )
  chargeRun(ctx, regex, text)
  return regex.test(text)
}

export const globBuiltins: readonly Builtin[] = [
  {
    name: 'glob.match',
    args: [STRING, union(NULL, arrayOf(STRING)), STRING],
    result: BOOLEAN,
    call: match,
  },
  {
    name: 'glob.quote_meta',
    args: [STRING],
    result: STRING,
    call: (ctx, a: Value) => {
      const text = asString(a, 1)
      ctx.meter.charge(text.length / 8)
      ctx.meter.allocate(text.length * 4)
      return text.replace(/[*?\\[\]{}]/g, '\\$&')
    },
  },
]
