import { OracleError } from './oracleError.ts'

/** More would go too deep for who reads it later: wrapped, merged, walked by policies. */
const maxLevels = 100

/**
 * What a component returned, as a JSON object (decision R5).
 *
 * @throws OracleError `not-json`; its text never quotes the output
 */
export function jsonObject(output: string): Record<string, unknown> {
  if (levelsOf(output) > maxLevels) {
    throw new OracleError('not-json', `the output is nested deeper than ${maxLevels} levels`)
  }
  let value: unknown
  try {
    value = JSON.parse(output)
  } catch {
    throw new OracleError('not-json', 'the output is not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new OracleError('not-json', 'the output is not a JSON object')
  }
  return value as Record<string, unknown>
}

/** How deep brackets nest, those in strings aside; for what is no JSON any number. */
function levelsOf(text: string): number {
  let level = 0
  let deepest = 0
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (mark === '[' || mark === '{') deepest = Math.max(deepest, ++level)
    else if (mark === ']' || mark === '}') level -= 1
  }
  return deepest
}
