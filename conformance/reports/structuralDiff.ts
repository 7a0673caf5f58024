import { counted } from 'polgate-lib/text/counted.ts'
import { type Difference, pathText, typedDiff } from 'polgate-lib/view/typedDiff.ts'
import { differenceOf } from '../core/shorten.ts'

/** One line of a comparison: only expected, only observed, or common. */
export type DiffLine = {
  readonly sign: '-' | '+' | ' '
  /** Path in a JSON value, such as `$.error.code`; absent in a comparison of texts. */
  readonly path?: string
  readonly text: string
}

/** Lines shown; the rest is counted. */
const mostLines = 24
/** Below this depth values are compared as text: hostile input may be nested arbitrarily deep. */
const deepest = 100
/** Common characters kept on each side of a difference between long texts. */
const around = 24
const longText = 100

/** A string of JSON, and whether it is the name of a member that is shown without a value. */
const stringOrAbsent = /("(?:[^"\\]|\\.)*")(:undefined\b)?/g
const absentMark = '\u0000absent'

/** Values of a check may have absent members, which JSON has not. */
const withoutAbsent = (text: string): unknown =>
  JSON.parse(
    text.replaceAll(stringOrAbsent, (whole, name: string, absent?: string) =>
      absent === undefined ? whole : `${name}:${JSON.stringify(absentMark)}`,
    ),
    (_, value: unknown) => (value === absentMark ? undefined : value),
  )

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: text.includes(':undefined') ? withoutAbsent(text) : JSON.parse(text) }
  } catch {
    return undefined
  }
}

function depthOf(text: string): number {
  let depth = 0
  let most = 0
  for (const letter of text) {
    if (letter === '{' || letter === '[') most = Math.max(most, ++depth)
    else if (letter === '}' || letter === ']') depth--
  }
  return most
}

const isStructure = (value: unknown): boolean => typeof value === 'object' && value !== null

/**
 * Where two texts differ as JSON: undefined unless both are objects or arrays, and not nested too
 * deep to be shown.
 */
export function jsonDifferences(
  expected: string,
  observed: string,
): readonly Difference[] | undefined {
  if (Math.max(depthOf(expected), depthOf(observed)) > deepest) return undefined
  const [a, b] = [parsed(expected)?.value, parsed(observed)?.value]
  return isStructure(a) && isStructure(b) ? typedDiff(a, b) : undefined
}

function linesOf(difference: Difference): readonly DiffLine[] {
  const path = pathText(difference.path)
  return [
    ...(difference.kind === 'extra'
      ? []
      : [{ sign: '-' as const, path, text: JSON.stringify(difference.expected) }]),
    ...(difference.kind === 'missing'
      ? []
      : [{ sign: '+' as const, path, text: JSON.stringify(difference.observed) }]),
  ]
}

/** Two long texts, from shortly before to shortly after the difference. */
function ofTexts(expected: string, observed: string): readonly DiffLine[] {
  const { same, tail } = differenceOf(expected, observed)
  const shorter = Math.min(expected.length, observed.length)
  const windowed = (text: string) => {
    const from = Math.max(0, same - around)
    const to = Math.min(text.length, text.length - tail + around)
    return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
  }
  const bothLong = shorter > longText && same + tail > around
  const shown = bothLong ? windowed : (text: string) => text
  return [
    { sign: '-', text: shown(expected) },
    { sign: '+', text: shown(observed) },
  ]
}

/**
 * The difference between expected and observed: by path if both are JSON objects or arrays, by
 * position if they are texts. Bounded; the last line counts the rest.
 */
export function structuralDiff(expected: string, observed: string): readonly DiffLine[] {
  if (expected === observed) return [{ sign: ' ', text: expected }]
  const differences = jsonDifferences(expected, observed) ?? []
  // Of an object and an array each is shown as it was written.
  const lines = differences.some(({ path }) => path.length === 0)
    ? []
    : differences.flatMap(linesOf)
  const whole = lines.length > 0 ? lines : ofTexts(expected, observed)
  const rest = whole.length - mostLines
  return rest <= 0
    ? whole
    : [...whole.slice(0, mostLines), { sign: ' ', text: `and ${counted(rest, 'more line')}` }]
}

/** The comparison as plain lines: `- $.error.code  -32602`. */
export function diffText(lines: readonly DiffLine[]): readonly string[] {
  const width = Math.max(0, ...lines.map(({ path = '' }) => path.length))
  return lines.map(({ sign, path, text }) =>
    [sign, ...(path === undefined ? [] : [path.padEnd(width + 1)]), text].join(' '),
  )
}
