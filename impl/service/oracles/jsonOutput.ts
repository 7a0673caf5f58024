import { OracleError } from './oracleError.ts'

/** More would go too deep for who reads it later: wrapped, merged, walked by policies. */
const maxLevels = 100
/** Each costs whoever reads, merges or compares the output later, however few bytes it has. */
const maxValues = 20_000

/**
 * What a component returned, as a JSON object (decision R5).
 *
 * @throws OracleError `not-json`; its text never quotes the output
 */
export function jsonObject(output: string): Record<string, unknown> {
  const excess = excessOf(output)
  if (excess !== undefined) throw new OracleError('not-json', excess)
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

/**
 * What there is too much of, brackets and commas in strings aside; undefined where it can be parsed at
 * little cost. Each character is looked at once, and none after the first that is too much: a guest
 * chooses the text, and everybody waits meanwhile.
 */
function excessOf(text: string): string | undefined {
  let level = 0
  let values = 1
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) inString = !inString
    else if (inString) at += code === backslash ? 1 : 0
    // In ASCII the bracket and the brace of a kind differ by this bit alone.
    else if ((code | braceBit) === openBrace) level += 1
    else if ((code | braceBit) === closeBrace) level -= 1
    else if (code === comma) values += 1
    if (level > maxLevels) return `the output is nested deeper than ${maxLevels} levels`
    if (values > maxValues) return `the output holds more than ${maxValues} values`
  }
  return undefined
}

const comma = 0x2c
const quote = 0x22
const backslash = 0x5c
const braceBit = 0x20
const openBrace = 0x7b
const closeBrace = 0x7d
