import fc from 'fast-check'

const surrogates = { from: 0xd800, count: 0x800 }
const last = 0x10ffff

/**
 * Any character of a string. Equal to the unit `binary` of fast-check, which first builds a table
 * of a million entries: a second per process.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: last - surrogates.count })
  .map((at) => String.fromCodePoint(at < surrogates.from ? at : at + surrogates.count))
