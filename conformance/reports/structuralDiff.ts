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

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
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

const isStructure = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const step = (part: string | number): string =>
  typeof part === 'number'
    ? `[${part}]`
    : /^[a-zA-Z_][\w-]*$/.test(part)
      ? `.${part}`
      : `[${JSON.stringify(part)}]`

/** Own members only: a value may have one called `toString`. */
const membersOf = (value: object): Map<string | number, unknown> =>
  Array.isArray(value) ? new Map(value.entries()) : new Map(Object.entries(value))

function ofStructures(expected: object, observed: object, path = '$'): readonly DiffLine[] {
  const was = membersOf(expected)
  const is = membersOf(observed)
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key): readonly DiffLine[] => {
    const [a, b] = [was.get(key), is.get(key)]
    const at = `${path}${step(key)}`
    if (was.has(key) && is.has(key) && isStructure(a) && isStructure(b))
      if (Array.isArray(a) === Array.isArray(b)) return ofStructures(a, b, at)
    if (was.has(key) && is.has(key) && a === b) return []
    return [
      ...(was.has(key) ? [{ sign: '-' as const, path: at, text: JSON.stringify(a) }] : []),
      ...(is.has(key) ? [{ sign: '+' as const, path: at, text: JSON.stringify(b) }] : []),
    ]
  })
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
  const shallow = Math.max(depthOf(expected), depthOf(observed)) <= deepest
  const [a, b] = shallow ? [parsed(expected)?.value, parsed(observed)?.value] : []
  const comparable = isStructure(a) && isStructure(b) && Array.isArray(a) === Array.isArray(b)
  const lines = comparable ? ofStructures(a, b) : []
  const whole = lines.length > 0 ? lines : ofTexts(expected, observed)
  const rest = whole.length - mostLines
  return rest <= 0
    ? whole
    : [...whole.slice(0, mostLines), { sign: ' ', text: `and ${rest} more lines` }]
}

/** The comparison as plain lines: `- $.error.code  -32602`. */
export function diffText(lines: readonly DiffLine[]): readonly string[] {
  const width = Math.max(0, ...lines.map(({ path = '' }) => path.length))
  return lines.map(({ sign, path, text }) =>
    [sign, ...(path === undefined ? [] : [path.padEnd(width + 1)]), text].join(' '),
  )
}
