import fc from 'fast-check'

const surrogates = { from: 0xd800, count: 0x800 }
const last = 0x10ffff

/**
 * Any code point but surrogates, as the unit of strings: the same as the unit `binary` of fast-check. That
 * one, like `fc.mapToConstant`, makes a table of all of them: most of a second, and 85 MB that each later
 * collection of garbage goes through.
 */
export const character: fc.Arbitrary<string> = fc
  .nat({ max: last - surrogates.count })
  .map((at) => String.fromCodePoint(at < surrogates.from ? at : at + surrogates.count), placeOf)

function placeOf(text: unknown): number {
  const at = typeof text === 'string' ? (text.codePointAt(0) ?? -1) : -1
  if (at < 0 || text !== String.fromCodePoint(at)) throw new Error('not one code point')
  if (at < surrogates.from) return at
  if (at < surrogates.from + surrogates.count) throw new Error('a surrogate')
  return at - surrogates.count
}
