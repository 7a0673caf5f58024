/** The number of code points: what a string's length is in Rego. */
export const codePoints = (text: string): number => {
  let count = text.length
  for (let i = 1; i < text.length; i++) {
    const low = text.charCodeAt(i)
    if (low >= 0xdc00 && low < 0xe000) {
      const high = text.charCodeAt(i - 1)
      if (high >= 0xd800 && high < 0xdc00) count--
    }
  }
  return count
}

/** True when no code point takes two units, so that units can be counted for code points. */
export const isPlane0 = (text: string): boolean => !/[\ud800-\udfff]/.test(text)

/** What a string of `length` UTF-16 units takes in memory, at most. */
export const bytesOf = (length: number): number => 2 * length + 16
