import { OracleError } from './oracleError.ts'

/** Limit of nesting: later steps wrap, merge and walk the value recursively. */
const maxLevels = 100
/** Limit of values: each one costs time whenever the output is read, merged or compared. */
const maxValues = 20_000

/**
 * Parses the output of a component as a JSON object (decision R5).
 *
 * @throws OracleError `not-json`; its message never quotes the output
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
 * The limit that the text exceeds, ignoring brackets and commas in strings; undefined when it is
 * cheap to parse. Reads each character once and stops at the first excess: the guest chooses the
 * text, and the check blocks the event loop.
 */
function excessOf(text: string): string | undefined {
  let level = 0
  let values = 1
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) inString = !inString
    else if (inString) at += code === backslash ? 1 : 0
    // In ASCII, brackets and braces of the same direction differ only in this bit.
    else if ((code | braceBit) === openBrace) level += 1
    else if ((code | braceBit) === closeBrace) level -= 1
    else if (code === comma) values += 1
    if (level > maxLevels) return `the output is nested deeper than ${maxLevels} levels`
    if (values > maxValues) return `the output has more than ${maxValues} values`
  }
  return undefined
}

const comma = 0x2c
const quote = 0x22
const backslash = 0x5c
const braceBit = 0x20
const openBrace = 0x7b
const closeBrace = 0x7d
