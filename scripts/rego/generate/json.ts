import type { Choices } from './choices.ts'

const NAMES = [
  'number',
  'string',
  'boolean',
  'array',
  'object',
  'base',
  'a',
  '__proto__',
  'constructor',
  '',
  '😀',
]
const SCALARS = [
  'null',
  'true',
  'false',
  '0',
  '-1',
  '1.5',
  '9007199254740993',
  '1e300',
  '""',
  '"a"',
  '"abc"',
  '"\\ud800"',
  '"1"',
]

/** JSON text of any shape. */
export function json(choices: Choices, depth = 3): string {
  const kind = depth > 0 ? choices.below(4) : 0
  const items = (item: () => string): string =>
    Array.from({ length: choices.below(5) }, item).join(',')
  if (kind < 2) return choices.one(SCALARS)
  if (kind === 2) return `[${items(() => json(choices, depth - 1))}]`
  return `{${items(() => `"${choices.one(NAMES)}":${json(choices, depth - 1)}`)}}`
}
