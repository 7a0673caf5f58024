import { RE2JS, RE2JSException } from 're2js'
import { BuiltinError, LimitError } from '../errors.ts'
import type { Value } from '../values/value.ts'
import { wellFormed } from '../values/wellFormed.ts'
import { type Builtin, type BuiltinContext, cached } from './builtin.ts'
import { bytesIn } from './bytes.ts'
import { asInt, asString } from './operands.ts'
import { arrayOf, BOOLEAN, NUMBER, STRING } from './types.ts'

/** Longer patterns are rejected: compiling would take longer than matching. */
const MAX_PATTERN = 16_384

/**
 * Compiles a pattern of RE2 syntax, which matches in time linear in the text.
 *
 * @throws BuiltinError for features that RE2 lacks (look-around, back references, {1001})
 */
export const compileRegex = (ctx: BuiltinContext, pattern: string): RE2JS =>
  cached(ctx, 'regex', pattern, () => {
    ctx.meter.charge(pattern.length * 16)
    ctx.meter.allocate(pattern.length * 256)
    if (pattern.length > MAX_PATTERN) {
      throw new BuiltinError(`pattern is longer than ${MAX_PATTERN} characters`)
    }
    if (wellFormed(pattern) !== pattern)
      throw new BuiltinError(`error parsing regexp: invalid UTF-8: \`${pattern}\``)
    try {
      return RE2JS.compile(pattern)
    } catch (error) {
      if (error instanceof RE2JSException)
        throw new BuiltinError(error.message, undefined, { cause: error })
      if (error instanceof RangeError) throw new BuiltinError('pattern nests too deeply')
      throw error
    }
  })

/** Maximum of states times characters of one run: seconds of work. */
const MAX_WORK = 2e8

/** Charges for one run over a text: an automaton tracks all of its states. */
export function chargeRun(ctx: BuiltinContext, regex: RE2JS, text: string): void {
  const work = text.length * regex.programSize()
  ctx.meter.charge(2 + work / 64)
  if (work > MAX_WORK) throw new LimitError('text is too long for this pattern')
}

type Match = { readonly start: number; readonly end: number; readonly groups: readonly string[] }

/** At most `limit` matches; an empty match right after another does not count, as in Go. */
function matches(ctx: BuiltinContext, regex: RE2JS, text: string, limit: number): Match[] {
  const found: Match[] = []
  const matcher = regex.matcher(text)
  const groups = regex.groupCount()
  let previous = -1
  chargeRun(ctx, regex, text)
  while (found.length < limit) {
    // Each search may scan the rest, though most stop early.
    ctx.meter.charge(2 + ((text.length - previous) * regex.programSize()) / 1_024)
    if (!matcher.find()) break
    const [start, end] = [matcher.start(), matcher.end()]
    if (start === end && start === previous) continue
    previous = end
    ctx.meter.charge(groups + 1)
    ctx.meter.allocate(64 + 32 * groups)
    const captured: string[] = []
    for (let i = 0; i <= groups; i++) captured.push(matcher.group(i) ?? '')
    found.push({ start, end, groups: captured })
  }
  return found
}

function limitOf(ctx: BuiltinContext, value: Value, position: number): number {
  const n = asInt(value, position, ctx)
  return n < 0 ? Number.POSITIVE_INFINITY : n
}

function isMatch(ctx: BuiltinContext, a: Value, b: Value): Value {
  const [pattern, text] = [asString(a, 1), asString(b, 2)]
  const regex = compileRegex(ctx, pattern)
  chargeRun(ctx, regex, text)
  return regex.test(text)
}

function isValid(ctx: BuiltinContext, a: Value): Value {
  if (typeof a !== 'string') return false
  try {
    compileRegex(ctx, a)
    return true
  } catch (error) {
    if (error instanceof BuiltinError) return false
    throw error
  }
}

function find(ctx: BuiltinContext, a: Value, b: Value, c: Value): Value {
  const [pattern, text, limit] = [asString(a, 1), asString(b, 2), limitOf(ctx, c, 3)]
  return matches(ctx, compileRegex(ctx, pattern), text, limit).map((match) => match.groups[0] ?? '')
}

function findGroups(ctx: BuiltinContext, a: Value, b: Value, c: Value): Value {
  const [pattern, text, limit] = [asString(a, 1), asString(b, 2), limitOf(ctx, c, 3)]
  return matches(ctx, compileRegex(ctx, pattern), text, limit).map((match) => match.groups)
}

const TEMPLATE = /\$(?:\$|\{([^}]{0,256})\}|([\p{L}\p{Nd}_]+))/gu

/** Expands `$1`, `${name}`, `$$` of a replacement; missing groups are empty. */
const expand = (template: string, match: Match, names: Record<string, number>): string =>
  template.replace(TEMPLATE, (whole, braced?: string, bare?: string) => {
    if (whole === '$$') return '$'
    const name = braced ?? bare ?? ''
    const index = /^\d+$/.test(name) ? Number(name) : names[name]
    return (index === undefined ? undefined : match.groups[index]) ?? ''
  })

function replace(ctx: BuiltinContext, a: Value, b: Value, c: Value): Value {
  const [text, pattern, template] = [asString(a, 1), asString(b, 2), asString(c, 3)]
  const regex = compileRegex(ctx, pattern)
  const names = regex.namedGroups()
  const out: string[] = []
  let from = 0
  for (const match of matches(ctx, regex, text, Number.POSITIVE_INFINITY)) {
    ctx.meter.charge(1 + template.length / 8)
    const by = template.includes('$') ? expand(template, match, names) : template
    ctx.meter.allocate(2 * (match.start - from + by.length))
    out.push(text.slice(from, match.start), by)
    from = match.end
  }
  return out.join('') + text.slice(from)
}

function split(ctx: BuiltinContext, a: Value, b: Value): Value {
  const [pattern, text] = [asString(a, 1), asString(b, 2)]
  const regex = compileRegex(ctx, pattern)
  if (pattern !== '' && text === '') return ['']
  const parts: string[] = []
  let begin = 0
  let end = 0
  for (const match of matches(ctx, regex, text, Number.POSITIVE_INFINITY)) {
    end = match.start
    if (match.end !== 0) parts.push(text.slice(begin, end))
    begin = match.end
  }
  if (end !== text.length) parts.push(text.slice(begin))
  return parts
}

const escapeText = (text: string): string => text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')

/** A template such as `urn:{[a-z]+}:x`, with patterns between the delimiters. */
function templatePattern(template: string, open: string, close: string): string {
  const unbalanced = (): BuiltinError =>
    new BuiltinError(`unbalanced braces in ${JSON.stringify(template)}`)
  let pattern = '^'
  let level = 0
  let from = 0
  for (let i = 0; i < template.length; i++) {
    if (template[i] === open) {
      if (level++ === 0) {
        pattern += escapeText(template.slice(from, i))
        from = i + 1
      }
    } else if (template[i] === close) {
      if (--level < 0) throw unbalanced()
      if (level === 0) {
        pattern += `(${template.slice(from, i)})`
        from = i + 1
      }
    }
  }
  if (level !== 0) throw unbalanced()
  return `${pattern}${escapeText(template.slice(from))}$`
}

function templateMatch(ctx: BuiltinContext, a: Value, b: Value, c: Value, d: Value): Value {
  const [template, text] = [asString(a, 1), asString(b, 2)]
  const [open, close] = [asString(c, 3), asString(d, 4)]
  const length = bytesIn(open).length
  const delimiters = [
    ['start', length],
    ['end', bytesIn(close).length],
  ] as const
  for (const [name, size] of delimiters) {
    if (size !== 1) {
      throw new BuiltinError(
        // OPA names the length of the first for both.
        `${name} delimiter has to be exactly one character long but is ${length} long`,
      )
    }
  }
  ctx.meter.charge(template.length)
  return isMatch(ctx, templatePattern(template, open, close), text)
}

export const regexBuiltins: readonly Builtin[] = [
  { name: 'regex.match', args: [STRING, STRING], result: BOOLEAN, call: isMatch },
  { name: 're_match', args: [STRING, STRING], result: BOOLEAN, deprecated: true, call: isMatch },
  { name: 'regex.is_valid', args: [STRING], result: BOOLEAN, call: isValid },
  {
    name: 'regex.find_n',
    args: [STRING, STRING, NUMBER],
    result: arrayOf(STRING),
    keepsWritten: [2],
    call: find,
  },
  {
    name: 'regex.find_all_string_submatch_n',
    args: [STRING, STRING, NUMBER],
    result: arrayOf(arrayOf(STRING)),
    keepsWritten: [2],
    call: findGroups,
  },
  { name: 'regex.replace', args: [STRING, STRING, STRING], result: STRING, call: replace },
  { name: 'regex.split', args: [STRING, STRING], result: arrayOf(STRING), call: split },
  {
    name: 'regex.template_match',
    args: [STRING, STRING, STRING, STRING],
    result: BOOLEAN,
    call: templateMatch,
  },
]
