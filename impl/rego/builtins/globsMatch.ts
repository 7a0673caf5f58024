import { BuiltinError } from '../errors.ts'
import type { Value } from '../values/value.ts'
import type { Builtin, BuiltinContext } from './builtin.ts'
import { asString } from './operands.ts'
import { BOOLEAN, STRING } from './types.ts'

/** Code points from..to, inclusive. */
type Range = readonly [number, number]

/** A token of the pattern language of `regex.globs_match`: characters and their repetition. */
type Token = { readonly ranges: readonly Range[]; readonly repeat: '' | '*' | '+' }

const ALL: readonly Range[] = [[0, 0x10ffff]]

/**
 * Parses a pattern of characters, `.`, sets `[a-z]`, escapes, and the flags `*` and `+`.
 *
 * @throws BuiltinError with the 1-based position of the error
 */
function tokenize(pattern: string): readonly Token[] {
  const chars = [...pattern]
  const tokens: Token[] = []
  let at = 0
  const fail = (position: number, what: string): never => {
    throw new BuiltinError(
      `input:${pattern}, pos:${position}, ${what}: the input provided is invalid`,
    )
  }
  const point = (char: string): number => char.codePointAt(0) as number
  /** A literal character, possibly escaped. */
  const literal = (): string => {
    const char = chars[at++] ?? ''
    if (char !== '\\') return char
    return chars[at++] ?? fail(at - 2, 'input ends with a \\ (escape) character')
  }
  const set = (): readonly Range[] => {
    const ranges: Range[] = []
    let before: string | undefined
    while (at < chars.length && chars[at] !== ']') {
      if (chars[at] !== '-') {
        before = literal()
        ranges.push([point(before), point(before)])
        continue
      }
      at++
      const low = before ?? fail(at, "range character '-' must be preceded by a Unicode character")
      if (at >= chars.length - 1) {
        fail(at, "range character '-' must be followed by a Unicode character")
      }
      if (chars[at] === ']' || chars[at] === '-') {
        fail(at + 1, "range character '-' cannot be followed by a special symbol")
      }
      const high = literal()
      if (point(high) < point(low)) {
        fail(at, `range is out of order: '${high}' comes before '${low}' in Unicode`)
      }
      ranges.push([point(low), point(high)])
      before = undefined
    }
    if (at >= chars.length) fail(at, 'found [ without matching ]')
    at++
    return ranges
  }
  while (at < chars.length) {
    const char = chars[at] as string
    let ranges: readonly Range[]
    if (char === ']') fail(at + 1, "set-close ']' with no preceding '['")
    if (char === '*' || char === '+') fail(at + 1, `flag '${char}' must be preceded by a non-flag`)
    if (char === '.') {
      at++
      ranges = ALL
    } else if (char === '[') {
      at++
      ranges = set()
    } else {
      const code = point(literal())
      ranges = [[code, code]]
    }
    const flag = chars[at]
    const repeat = flag === '*' || flag === '+' ? flag : ''
    if (repeat !== '') at++
    tokens.push({ ranges, repeat })
  }
  return tokens
}

const overlap = (a: readonly Range[], b: readonly Range[]): boolean =>
  a.some(([low, high]) => b.some(([from, to]) => low <= to && from <= high))

/** Positions reachable without input: past every token that may be empty. */
function closure(tokens: readonly Token[], at: number): number[] {
  const places = [at]
  for (let i = at; i < tokens.length && tokens[i]?.repeat === '*'; i++) places.push(i + 1)
  return places
}

/** Positions after the token at `at` has read a character. */
// After a match, a token with `+` may repeat or end; staying at it covers the first.
const after = (tokens: readonly Token[], at: number): number[] =>
  tokens[at]?.repeat === '' ? [at + 1] : [at, at + 1]

/**
 * Whether both patterns are empty or some non-empty text matches both: a search over pairs of
 * positions.
 */
function globsMatch(ctx: BuiltinContext, a: Value, b: Value): Value {
  const patterns = [asString(a, 1), asString(b, 2)]
  const [left = [], right = []] = patterns.map(tokenize)
  if (left.length === 0 && right.length === 0) return true
  const width = right.length + 2
  const seen = new Set<number>()
  const queue: [number, number, boolean][] = [[0, 0, false]]
  while (queue.length > 0) {
    const [i, j, read] = queue.pop() as [number, number, boolean]
    for (const x of closure(left, i)) {
      for (const y of closure(right, j)) {
        ctx.meter.charge(1)
        if (x === left.length && y === right.length) {
          if (read) return true
          continue
        }
        const [p, q] = [left[x], right[y]]
        if (p === undefined || q === undefined || !overlap(p.ranges, q.ranges)) continue
        for (const nx of after(left, x)) {
          for (const ny of after(right, y)) {
            const key = nx * width + ny
            if (seen.has(key)) continue
            seen.add(key)
            queue.push([nx, ny, true])
          }
        }
      }
    }
  }
  return false
}

export const globsMatchBuiltins: readonly Builtin[] = [
  { name: 'regex.globs_match', args: [STRING, STRING], result: BOOLEAN, call: globsMatch },
]
