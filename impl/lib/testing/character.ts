import fc from 'fast-check'

const surrogates = { from: 0xd800, to: 0xe000 }
const codePoints = 0x110000

/**
 * Any code point but surrogates, as the unit of strings. The unit `binary` of fast-check is the same, but
 * makes a table of all of them first: more than a second, and 85 MB for as long as the process runs.
 */
export const character: fc.Arbitrary<string> = fc.mapToConstant(
  { num: surrogates.from, build: (at) => String.fromCodePoint(at) },
  { num: codePoints - surrogates.to, build: (at) => String.fromCodePoint(surrogates.to + at) },
)
