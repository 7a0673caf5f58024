/** Upper bounds on the content of a JSON text, found without parsing it. */
export type JsonBounds = {
  /** Nesting depth. */
  readonly depth: number
  readonly values: number
  /** Characters of the longest number or white space. */
  readonly numberLength: number
}

export function jsonBounds(text: string): JsonBounds {
  let numberLength = 0
  let after = 0
  let depth = 0
  let deepest = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code !== quote && !structure.has(code)) continue
    numberLength = Math.max(numberLength, at - after)
    switch (code) {
      case quote:
        at = endOfString(text, at)
        break
      case openArray:
      case openObject:
        depth += 1
        values += 1
        if (depth > deepest) deepest = depth
        break
      case closeArray:
      case closeObject:
        depth -= 1
        break
      case comma:
        values += 1
        break
    }
    after = at + 1
  }
  return { depth: deepest, values, numberLength: Math.max(numberLength, text.length - after) }
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const colon = 0x3a
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
const structure = new Set([comma, colon, openArray, closeArray, openObject, closeObject])

/** Index of the closing quote of the string that starts at `from`, or of the end of the text. */
function endOfString(text: string, from: number): number {
  let at = text.indexOf('"', from + 1)
  while (at !== -1) {
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1
    if (slashes % 2 === 0) return at
    at = text.indexOf('"', at + 1)
  }
  return text.length
}
