import fc from 'fast-check'

const surrogates = { from: 0xd800, count: 0x800 }
const last = 0x10ffff

/**
 * Any character that text can hold, as the unit of strings. The same as the unit `binary` of
 * fast-check, which first makes a table of all million of them: a second of every process.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: last - surrogates.count })
  .map((at) => String.fromCodePoint(at < surrogates.from ? at : at + surrogates.count))
